import type { Context } from '../context.ts'
import { Failure } from '../domain/failure.ts'
import { assetHeaders, assetHosts } from './asset-policy.ts'
import type { BlobStore } from './blob-store.ts'
import { type ByteSpan, parseByteRange } from './byte-range.ts'
import { findWorldFile, type WorldFile } from './find-file.ts'
import { isPage, isScript, mediaType } from './mime.ts'
import { PRELUDE_VERSION, preludeFor } from './prelude.ts'

/** Read from the store at once, so that a large file never lies in memory as a whole. */
export const CHUNK_BYTES = 1024 * 1024
/** Of a script, read to find out how its prelude must look. */
const START_BYTES = 16 * 1024
/** A cache must not answer a document with what a frame was given. */
const VARY = 'Sec-Fetch-Dest'

export interface FileRequest {
  readonly worldId: string
  /** Inside the bundle, decoded. */
  readonly path: string
  /** `Range`, `If-Range`, `If-None-Match`, `Sec-Fetch-Dest` as the request carried them. */
  readonly range?: string | undefined
  readonly ifRange?: string | undefined
  readonly ifNoneMatch?: string | undefined
  readonly destination?: string | undefined
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

/** Reads the body; not called, nothing is read. */
type OpenBody = () => Promise<ReadableStream<Uint8Array>>

interface FileHeaders extends Readonly<Record<string, string>> {
  readonly 'Content-Security-Policy': string
  readonly ETag: string
}

interface PartHeaders {
  readonly 'Content-Range': string
}

/**
 * Returns one file of an active World or of a preview, with the policy that keeps the World from the network and, for
 * scripts, the prelude. A browser that opens a page of it as a document of its own is redirected to the page of the site that
 * shows the World: no policy keeps a top-level document from navigating away.
 *
 * @throws {Failure} `not_found` for an unknown or deleted World, an unknown file, WebAssembly asked for as a module,
 *   and anything but a page asked for as a frame.
 */
export async function serveFile(
  ctx: Pick<Context, 'db' | 'blobs' | 'config' | 'clock'>,
  request: FileRequest,
): Promise<FileAnswer> {
  const file = await findWorldFile(ctx, request.worldId, request.path)
  const type = mediaType(request.path)
  if (file === undefined || type === undefined) throw new Failure('not_found', 'No such file')
  const refusal = misuse(type, request.path, request.destination)
  if (refusal !== undefined) throw new Failure('not_found', refusal)
  if (request.destination === 'document' && isPage(file.path)) {
    // Relative where the site serves Worlds itself: it may be known by more names than the configured one.
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
    ...assetHeaders(assetHosts(ctx.config), { ...file, worldId: request.worldId }),
    ETag: etag,
    // Replacing a World keeps its addresses, and a deleted one must be gone at once.
    'Cache-Control': 'no-cache',
    Vary: VARY,
    'Accept-Ranges': 'bytes',
  }
  if (isNamed(request.ifNoneMatch, etag)) return { status: 304, headers }
  const asked = request.ifRange === undefined || request.ifRange === etag ? request.range : undefined
  const range = parseByteRange(asked, size)
  if (range === 'unsatisfiable') {
    return { status: 416, headers: { ...headers, 'Content-Range': `bytes */${size}` } }
  }
  const span = range ?? { start: 0, end: size }
  const described = {
    ...headers,
    'Content-Type': type,
    'Content-Length': String(span.end - span.start),
  }
  const body: OpenBody = () => open(ctx.blobs, file, prelude, span)
  if (range === undefined) return { status: 200, headers: described, body }
  const part = `bytes ${span.start}-${span.end - 1}/${size}`
  return { status: 206, headers: { ...described, 'Content-Range': part }, body }
}

async function preludeOf(blobs: BlobStore, file: WorldFile): Promise<Uint8Array> {
  const start = await read(blobs, file, { start: 0, end: Math.min(START_BYTES, file.size) })
  return new TextEncoder().encode(preludeFor(new TextDecoder().decode(start)))
}

/** What must not be loaded in this way because no prelude would run before it. */
function misuse(type: string, path: string, destination = 'empty'): string | undefined {
  if (type === 'application/wasm' && destination !== 'empty') {
    return 'WebAssembly is loaded with fetch, not imported'
  }
  return FRAMES.has(destination) && !isPage(path) ? 'Only pages are shown in frames' : undefined
}

const FRAMES: ReadonlySet<string> = new Set(['iframe', 'frame', 'fencedframe', 'embed', 'object'])

/** The part `span` of the prelude followed by the file. The first bytes are read before anything is promised. */
async function open(
  blobs: BlobStore,
  file: WorldFile,
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

async function read(blobs: BlobStore, file: WorldFile, span: ByteSpan): Promise<Uint8Array> {
  if (span.start === span.end) return new Uint8Array(0)
  const bytes = await blobs.read(file.hash, span)
  if (bytes !== undefined && bytes.byteLength === span.end - span.start) return bytes
  // Deleted or replaced since it was looked up.
  throw new Failure('not_found', 'No such file')
}

/** Whether an `If-None-Match` names the ETag; weak and strong compare alike here. */
function isNamed(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  const names = header.split(',').map((name) => name.trim().replace(/^W\//, ''))
  return names.includes('*') || names.includes(etag)
}
