import { assetsIn, isAsset } from './assets.ts'

/*
 * The studio's service worker: the page and its own files stay on the machine, so that the studio opens without a
 * connection. Online the page always comes from the server. Nothing else is stored or answered: no API, no other page.
 * `npm run generate` bundles it; `/studio/worker.js` serves it.
 */

/** What the worker uses of its global scope: the library of types for pages has none of it. */
interface Scope {
  readonly registration: { readonly scope: string }
  readonly clients: { claim(): Promise<void> }
  skipWaiting(): Promise<void>
  addEventListener(
    type: 'install' | 'activate' | 'fetch' | 'message',
    listener: (event: WorkerEvent) => void,
  ): void
}

interface WorkerEvent {
  readonly request: Request
  readonly data: unknown
  respondWith(response: Promise<Response>): void
  waitUntil(work: Promise<unknown>): void
}

const scope = globalThis as unknown as Scope

const CACHE = 'weft-studio-1'
const PAGE = '/studio'
/** The list of files that the stored page begins with. */
const LIST = '/studio/stored-files'
/** Above what the studio is made of; a page cannot fill the disk. */
const MAX_FILES = 400
/** How long the server may take before the stored page is shown. */
const TIMEOUT_MS = 6_000

scope.addEventListener('install', () => void scope.skipWaiting())
scope.addEventListener('activate', (event) => event.waitUntil(takeOver()))
scope.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin) return
  if (request.mode === 'navigate') {
    if (url.pathname === PAGE) event.respondWith(page(event))
  } else if (isAsset(url.pathname)) event.respondWith(asset(request))
})
scope.addEventListener('message', (event) => {
  const { data } = event
  if (typeof data !== 'object' || data === null || !('files' in data) || !Array.isArray(data.files)) return
  event.waitUntil(storeFiles(data.files.filter((path) => typeof path === 'string' && isAsset(path))))
})

async function takeOver(): Promise<void> {
  for (const name of await caches.keys()) {
    if (name.startsWith('weft-studio-') && name !== CACHE) await caches.delete(name)
  }
  await scope.clients.claim()
}

/** The page from the server; the stored one while there is no connection. */
async function page(event: WorkerEvent): Promise<Response> {
  const cache = await caches.open(CACHE)
  const stored = await cache.match(PAGE)
  const late = new AbortController()
  const timer = stored && setTimeout(() => late.abort(), TIMEOUT_MS)
  try {
    const response = await fetch(event.request, { signal: late.signal })
    if (isPage(response)) event.waitUntil(cache.put(PAGE, response.clone()))
    return response
  } catch (error) {
    if (stored !== undefined) return stored
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function isPage(response: Response): boolean {
  const type = response.headers.get('content-type') ?? ''
  return response.ok && !response.redirected && type.startsWith('text/html')
}

/** A file whose name changes with its content. */
async function asset(request: Request): Promise<Response> {
  return (await caches.match(request, { cacheName: CACHE })) ?? fetch(request)
}

/** Stores the files of a page and all that they load later, and drops those of the page before. */
async function storeFiles(paths: readonly string[]): Promise<void> {
  const cache = await caches.open(CACHE)
  const list = paths.toSorted().join('\n')
  if ((await (await cache.match(LIST))?.text()) === list) return
  const kept = new Set(paths)
  // Grows while it is read.
  for (const path of kept) {
    const text = await storedText(cache, path)
    if (text === undefined) continue
    for (const found of assetsIn(text)) if (kept.size < MAX_FILES) kept.add(found)
  }
  if ((await cache.match(PAGE)) === undefined) {
    const response = await fetch(PAGE, { headers: { accept: 'text/html' } })
    if (isPage(response)) await cache.put(PAGE, response)
  }
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url)
    if (isAsset(pathname) && !kept.has(pathname)) await cache.delete(url)
  }
  await cache.put(LIST, new Response(list))
}

/** Stores a file, and returns its text where it is a script; undefined where it cannot be fetched. */
async function storedText(cache: Cache, path: string): Promise<string | undefined> {
  let response = await cache.match(path)
  if (response === undefined) {
    const fetched = await fetch(path).catch(() => undefined)
    if (fetched === undefined || !fetched.ok) return undefined
    await cache.put(path, fetched.clone())
    response = fetched
  }
  return path.endsWith('.js') ? response.text() : undefined
}
