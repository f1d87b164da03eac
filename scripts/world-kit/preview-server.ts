import { readFileSync, watch } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checkBundle } from '#lib/compute/bundle/check-bundle.ts'
import { liftInlineScripts } from '#lib/compute/bundle/lift-inline-scripts.ts'
import { readManifest } from '#lib/compute/bundle/manifest.ts'
import { isPage, isScript, mediaType } from '#lib/compute/bundle/mime.ts'
import { builtModule } from '#lib/core/worlds/sdk/built-module.ts'
import { preludeFor } from '#lib/core/worlds/sdk/prelude.ts'
import { assetHeaders, worldFrameSources } from '#lib/core/worlds/world-csp.ts'
import { MANIFEST_PATH } from '#lib/protocol/bundle-paths.ts'
import { folderFiles, packWorld } from './world-folder.ts'

const ID = 'preview'
const ASSETS = `/services/world-assets/${ID}/`
const SDK = '/services/js/sdk/'

interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

export interface PreviewServer {
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves the World of a folder as the site would: the same policy, the same prelude, the same frame, in a page that
 * sends sample runs and shows messages and validation problems. Reads the folder again for every request; the page
 * reloads the World when a file changes.
 *
 * @param port 0 for any that is free.
 * @throws what `listen` throws when the port is taken.
 */
export async function startPreview(folder: string, port = 0): Promise<PreviewServer> {
  const listeners = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    if (request.url === '/changes') return listenForChanges(response, listeners)
    answer(folder, request, origin()).then(
      (result) => send(response, result),
      (error: unknown) => send(response, { status: 500, body: error instanceof Error ? error.message : '' }),
    )
  })
  const watcher = watch(folder, { recursive: true }, () => {
    for (const listener of listeners) listener.write('data: changed\n\n')
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const origin = () => `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    url: origin(),
    close: async () => {
      watcher.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(folder: string, request: IncomingMessage, origin: string): Promise<Answer> {
  const { pathname } = new URL(request.url ?? '/', origin)
  if (pathname === '/') return page(origin)
  if (pathname === '/preview.js') return { headers: { 'Content-Type': SCRIPT }, body: ours('preview.js') }
  if (pathname === '/runs.json') return json(ours('sample-runs.json'))
  if (pathname === '/check.json') return json(JSON.stringify(await check(folder)))
  if (pathname.startsWith(SDK)) return sdkModule(pathname.slice(SDK.length))
  if (pathname.startsWith(ASSETS)) return asset(folder, decoded(pathname.slice(ASSETS.length)), origin)
  return NOTHING
}

/** A malformed path stays as it is and is not found. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const SCRIPT = 'text/javascript; charset=utf-8'
const NOTHING: Answer = { status: 404, body: 'Nothing here' }

function json(body: string): Answer {
  return { headers: { 'Content-Type': 'application/json' }, body }
}

function hostsOf(origin: string) {
  return { assetOrigins: [origin], framingOrigins: [origin] }
}

function page(origin: string): Answer {
  const policy = `frame-src ${worldFrameSources(hostsOf(origin)).join(' ')}; object-src 'none'; base-uri 'none'`
  return {
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy },
    body: ours('preview.html'),
  }
}

async function sdkModule(name: string): Promise<Answer> {
  const module = await builtModule(name)
  if (module === undefined) return NOTHING
  return {
    headers: {
      'Content-Type': SCRIPT,
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    },
    body: module.text,
  }
}

/** The result of validating the upload: the manifest and advice, or all problems. */
async function check(folder: string): Promise<unknown> {
  const outcome = await checkBundle(await packWorld(folder))
  if (outcome.status === 'accepted') {
    const { manifest, warnings } = outcome.bundle
    return { problems: [], warnings, manifest, entryUrl: ASSETS + manifest.entry }
  }
  // What is not ready for an upload can still be looked at, once the manifest can be read.
  const read = readManifest(folderFiles(folder).get(MANIFEST_PATH) ?? new Uint8Array())
  return {
    problems: outcome.problems,
    warnings: [],
    ...('manifest' in read && { manifest: read.manifest, entryUrl: ASSETS + read.manifest.entry }),
  }
}

async function asset(folder: string, path: string, origin: string): Promise<Answer> {
  const files = servedFiles(folder)
  const bytes = files.get(path)
  const type = mediaType(path)
  if (bytes === undefined || type === undefined) return NOTHING
  const permissions = permissionsOf(files.get(MANIFEST_PATH))
  const headers = {
    ...assetHeaders(hostsOf(origin), { worldId: ID, path, permissions }),
    'Content-Type': type,
  }
  if (!isScript(path)) return { headers, body: bytes }
  const text = new TextDecoder().decode(bytes)
  return { headers, body: preludeFor(text) + text }
}

/** With the scripts that an upload would lift out of pages. */
function servedFiles(folder: string): ReadonlyMap<string, Uint8Array> {
  const files = new Map(folderFiles(folder))
  for (const [path, bytes] of [...files]) {
    if (!isPage(path)) continue
    const { html, files: lifted } = liftInlineScripts(new TextDecoder().decode(bytes), path)
    files.set(path, new TextEncoder().encode(html))
    for (const script of lifted) files.set(script.path, script.bytes)
  }
  return files
}

/** Returns the permissions of a manifest that may be in the middle of being written. */
function permissionsOf(manifest: Uint8Array | undefined): readonly string[] {
  try {
    const { permissions } = JSON.parse(new TextDecoder().decode(manifest)) as { permissions?: unknown }
    return Array.isArray(permissions) ? permissions.filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}

function listenForChanges(response: ServerResponse, listeners: Set<ServerResponse>): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
  response.write(':\n\n')
  listeners.add(response)
  response.on('close', () => listeners.delete(response))
}

function send(response: ServerResponse, { status = 200, headers = {}, body }: Answer): void {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    ...headers,
  })
  response.end(body)
}

/** The text of a file beside this one. Runs are of 64 steps and recorded, so that a preview needs no network. */
function ours(name: 'preview.html' | 'preview.js' | 'sample-runs.json'): string {
  return readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')
}
