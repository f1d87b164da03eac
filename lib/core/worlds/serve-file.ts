import type { WorldManifest } from '#lib/compute/bundle/manifest.ts'
import { isPage, isScript, mediaType } from '#lib/compute/bundle/mime.ts'
import type { Context } from '#lib/core/context/context.ts'
import type { BlobStore } from '#lib/platform/blobs/blob-store.ts'
import { bundlePath } from '#lib/protocol/bundle-paths.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { PRELUDE_VERSION, preludeFor } from './sdk/prelude.ts'
import { CAPTURED_PATH, isBundleHash, isPreviewId, isWorldId } from './world.ts'
import { assetHeaders, assetHosts, type BrowserHints } from './world-csp.ts'
import { findVersion, worldDeleted } from './world-versions.ts'

/** Bytes per read, so that a large file is never in memory as a whole. */
export const CHUNK_BYTES = 1024 * 1024
/** Bytes of a script that decide on the form of its prelude. */
const START_BYTES = 16 * 1024
/** A cache must not serve a document the response for a frame. */
const VARY = 'Sec-Fetch-Dest'
/** The policy of a page leaves out what its browser does not know. */
const VARY_OF_PAGES = `${VARY}, Sec-CH-UA, Sec-CH-UA-Platform`

export interface FileRequest {
  /** Id of a World or a preview, or the hash of a bundle. */
  readonly worldId: string
  /** Inside the bundle, decoded. */
  readonly path: string
  /** Whether `If-None-Match` names an ETag. */
  readonly isStored?: ((etag: string) => boolean) | undefined
  /** `Range`, `If-Range`, `Sec-Fetch-Dest` as the request carried them. */
  readonly range?: string | undefined
  readonly ifRange?: string | undefined
  readonly destination?: string | undefined
  readonly browser?: BrowserHints | undefined
}

export type FileAnswer =
  | {
      readonly status: 302
      readonly headers: Readonly<Record<'Location' | 'Cache-Control' | 'Vary', string>>
    }
  | { readonly status: 200; readonly headers: FileHeaders; readonly body: OpenBody }
  | { readonly status: 206; readonly headers: FileHeaders & PartHeaders; readonly body: OpenBody }
  | { readonly status: 304; readonly headers: FileHeaders }
  | { readonly status: 416; readonly headers: FileHeaders & PartHeaders }

/** Opens the body; nothing is read before. */
type OpenBody = () => Promise<ReadableStream<Uint8Array>>

interface FileHeaders extends Readonly<Record<string, string>> {
  readonly 'Content-Security-Policy': string
  readonly ETag: string
}

interface PartHeaders {
  readonly 'Content-Range': string
}

/**
 * Returns one file of an active World or of a preview, with the policy that blocks network access and, for scripts, the
 * prelude. A top-level navigation to one of its pages is redirected to the page of the site that shows the World: no
 * policy prevents a top-level document from navigating away.
 *
 * @throws {Failure} `gone` for a version of a deleted World, `not_found` for an unknown or deleted World, an unknown file, WebAssembly requested as a module,
 *   and anything but a page requested as a frame.
 */
export async function serveFile(
  ctx: Pick<Context, 'db' | 'blobs' | 'config' | 'clock'>,
  request: FileRequest,
): Promise<FileAnswer> {
  const file = await findWorldFile(ctx, request.worldId, request.path)
  const type = mediaType(request.path)
  if (file === undefined || type === undefined) throw await noFile(ctx, request.worldId)
  const refusal = misuse(type, request.path, request.destination)
  if (refusal !== undefined) throw new Failure('not_found', refusal)
  if (request.destination === 'document' && isPage(file.path)) {
    // Relative where the site serves Worlds itself: it may have more host names than the configured one.
    const site = ctx.config.assetOrigin === undefined ? '' : ctx.config.siteOrigin
    return {
      status: 302,
      headers: { Location: site + file.shownAt, 'Cache-Control': 'no-cache', Vary: VARY },
    }
  }
  const prelude = isScript(file.path) ? await preludeOf(ctx.blobs, file) : new Uint8Array(0)
  const size = prelude.byteLength + file.size
  const etag = prelude.byteLength > 0 ? `"${file.hash}-${PRELUDE_VERSION}"` : `"${file.hash}"`
  const headers = {
    ...assetHeaders(assetHosts(ctx.config), { ...file, worldId: request.worldId }, request.browser),
    ETag: etag,
    'Cache-Control': isBundleHash(request.worldId) && !carriesWalls(file.path) ? FOR_EVER : 'no-cache',
    Vary: isPage(file.path) ? VARY_OF_PAGES : VARY,
    'Accept-Ranges': 'bytes',
  }
  if (request.isStored?.(etag)) return { status: 304, headers }
  const rangeHeader = request.ifRange === undefined || request.ifRange === etag ? request.range : undefined
  const range = parseByteRange(rangeHeader, size)
  if (range === 'unsatisfiable') {
    return { status: 416, headers: { ...headers, 'Content-Range': `bytes */${size}` } }
  }
  const span = range ?? { start: 0, end: size }
  const described = {
    ...headers,
    'Content-Type': type,
    'Content-Length': String(span.end - span.start),
  }
  const body: OpenBody = () => openFile(ctx.blobs, file, prelude, span)
  if (range === undefined) return { status: 200, headers: described, body }
  const part = `bytes ${span.start}-${span.end - 1}/${size}`
  return { status: 206, headers: { ...described, 'Content-Range': part }, body }
}

const FOR_EVER = 'public, max-age=31536000, immutable'

/**
 * Whether a file carries the walls of a document: its page, or the script that guards it, which begins with the prelude.
 * By hash all others are immutable. These are not: a deleted World must not start from a cache, nor under the policy of
 * an earlier release.
 */
function carriesWalls(path: string): boolean {
  return isPage(path) || /(?:^|\/)inline-[0-9a-f]{16}\.js$/.test(path)
}

async function noFile(ctx: Pick<Context, 'db'>, worldId: string): Promise<Failure> {
  const version = await findVersion(ctx, worldId)
  return version?.found === 'deleted' ? worldDeleted() : new Failure('not_found', 'No such file')
}

async function preludeOf(blobs: BlobStore, file: WorldFile): Promise<Uint8Array> {
  const start = await read(blobs, file, { start: 0, end: Math.min(START_BYTES, file.size) })
  return new TextEncoder().encode(preludeFor(new TextDecoder().decode(start)))
}

/** Why a file must not be loaded in this way: no prelude would run before it. */
function misuse(type: string, path: string, destination = 'empty'): string | undefined {
  if (type === 'application/wasm' && destination !== 'empty') {
    return 'WebAssembly is loaded with fetch, not imported'
  }
  return FRAMES.has(destination) && !isPage(path) ? 'Only pages are shown in frames' : undefined
}

const FRAMES: ReadonlySet<string> = new Set(['iframe', 'frame', 'fencedframe', 'embed', 'object'])

/** The bytes `span` of the prelude and the file. The first chunk is read before the response begins. */
export async function openFile(
  blobs: BlobStore,
  file: Pick<WorldFile, 'hash' | 'size'>,
  prelude: Uint8Array,
  span: ByteSpan,
): Promise<ReadableStream<Uint8Array>> {
  const offset = prelude.byteLength
  let position = Math.max(span.start - offset, 0)
  const end = Math.max(span.end - offset, 0)
  const next = async (): Promise<Uint8Array | undefined> => {
    if (position >= end) return undefined
    const chunk = await read(blobs, file, { start: position, end: Math.min(position + CHUNK_BYTES, end) })
    position += chunk.byteLength
    return chunk
  }
  const waiting = [prelude.subarray(span.start, span.end), await next()]
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = waiting.length > 0 ? waiting.shift() : await next()
      if (chunk !== undefined && chunk.byteLength > 0) controller.enqueue(chunk)
      else if (waiting.length === 0 && position >= end) controller.close()
    },
  })
}

async function read(
  blobs: BlobStore,
  file: Pick<WorldFile, 'hash' | 'size'>,
  span: ByteSpan,
): Promise<Uint8Array> {
  if (span.start === span.end) return new Uint8Array(0)
  const bytes = await blobs.read(file.hash, span)
  if (bytes !== undefined && bytes.byteLength === span.end - span.start) return bytes
  // Deleted or replaced since the lookup.
  throw new Failure('not_found', 'No such file')
}

/** One file of an active World or of a preview, and what of the World decides how it is served. */
interface WorldFile {
  /** Key in the blob store: SHA-256 of the bytes, 64 lower-case hex digits. */
  readonly hash: string
  /** Bytes. */
  readonly size: number
  /** As in the bundle, without a leading slash. */
  readonly path: string
  readonly permissions: readonly string[]
  /** Whether it is the World's entry page. */
  readonly entry: boolean
  /** Path on the site of the page that shows the World. */
  readonly shownAt: string
}

/**
 * @returns undefined when the World or the file is unknown, and at once after the World was deleted or the preview
 *   ended.
 */
export async function findWorldFile(
  ctx: Pick<Context, 'db' | 'clock'>,
  worldId: string,
  path: string,
): Promise<WorldFile | undefined> {
  // PostgreSQL text cannot hold NUL, and such a file cannot exist.
  if (path.includes('\0') || !path.isWellFormed()) return undefined
  if (isBundleHash(worldId)) return findVersionFile(ctx, worldId, path)
  if (!isWorldId(worldId)) return undefined
  if (isPreviewId(worldId)) return findPreviewFile(ctx, worldId, path)
  const [row] = await ctx.db.sql<WorldFile[]>`
    select f.hash, f.size, f.path, w.permissions, f.path = w.entry_path as entry, '/worlds/' || w.slug as "shownAt"
    from worlds w join world_files f on f.world_id = w.id
    where w.id = ${worldId} and w.status = 'active' and f.path = any(${spellings(path)}::text[]) limit 1`
  return row
}

async function findPreviewFile(
  ctx: Pick<Context, 'db' | 'clock'>,
  previewId: string,
  path: string,
): Promise<WorldFile | undefined> {
  const [row] = await ctx.db.sql<FileRow[]>`
    select f.hash, f.size, f.path, p.manifest
    from world_previews p join world_preview_files f on f.preview_id = p.id
    where p.id = ${previewId} and p.expires_at > ${ctx.clock().toISOString()}
      and f.path = any(${spellings(path)}::text[]) limit 1`
  return row && withManifest(row, '/worlds/upload')
}

/** A file of a bundle, as long as the World that it is a version of is active. */
async function findVersionFile(
  { db: { sql } }: Pick<Context, 'db'>,
  bundleHash: string,
  path: string,
): Promise<WorldFile | undefined> {
  // The picture that an owner captured is of no version.
  if (path === CAPTURED_PATH) return undefined
  const paths = spellings(path)
  const [row] = await sql<(FileRow & { slug: string })[]>`
    select f.hash, f.size, f.path, w.manifest, w.slug
    from worlds w join world_files f on f.world_id = w.id
    where w.bundle_hash = ${bundleHash} and w.status = 'active' and f.path = any(${paths}::text[])
    union all
    select f.hash, f.size, f.path, v.manifest, w.slug
    from world_versions v join worlds w on w.id = v.world_id and w.status = 'active'
      join world_version_files f on f.world_id = v.world_id and f.bundle_hash = v.bundle_hash
    where v.bundle_hash = ${bundleHash} and f.path = any(${paths}::text[])
    limit 1`
  if (row === undefined) return undefined
  const { slug, ...file } = row
  return withManifest(file, `/worlds/${slug}`)
}

type FileRow = Pick<WorldFile, 'hash' | 'size' | 'path'> & { readonly manifest: WorldManifest }

function withManifest({ manifest, ...file }: FileRow, shownAt: string): WorldFile {
  return { ...file, permissions: manifest.permissions, entry: manifest.entry === file.path, shownAt }
}

/** The path as requested, and as bundles spell it: Worlds published before that rule keep their own spelling. */
function spellings(path: string): string[] {
  return [...new Set([path, bundlePath(path)])]
}

/** From `start` up to, not including, `end`. */
interface ByteSpan {
  readonly start: number
  readonly end: number
}

/**
 * Parses a `Range` header (RFC 9110).
 *
 * @param size Of the file in bytes.
 * @returns `undefined` for the whole file: no header, another unit, a malformed one, or several ranges, which a server
 *   may answer in full; `'unsatisfiable'` when nothing of the file lies in the range.
 */
function parseByteRange(header: string | undefined, size: number): ByteSpan | 'unsatisfiable' | undefined {
  const match = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '')
  const [, first = '', last = ''] = match ?? []
  if (match === null || (first === '' && last === '')) return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return undefined
  if (start >= size) return 'unsatisfiable'
  return { start, end: last === '' ? size : Math.min(Number(last) + 1, size) }
}
