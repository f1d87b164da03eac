import { isAsset } from './assets.ts'

const SCRIPT = '/studio/worker.js'
const SCOPE = '/studio'

/**
 * Makes the studio open without a connection from the next visit on: registers its service worker, and names the files
 * of this page to it. A browser that refuses goes on without.
 */
export async function registerServiceWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  try {
    await navigator.serviceWorker.register(SCRIPT, { scope: SCOPE, updateViaCache: 'none' })
    const { active } = await navigator.serviceWorker.ready
    active?.postMessage({ files: filesOfPage() })
  } catch {
    // Private windows, and policies of a browser's owner.
  }
}

/** Removes the service worker of earlier visits with all that it stored, where the studio is not to work offline. */
export async function removeServiceWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  try {
    const registration = await navigator.serviceWorker.getRegistration(SCOPE)
    if (registration === undefined) return
    await registration.unregister()
    for (const name of await caches.keys()) if (name.startsWith('weft-studio-')) await caches.delete(name)
  } catch {
    // As above.
  }
}

/** The page's own scripts and styles, and the fonts they have loaded. */
function filesOfPage(): string[] {
  const named = [...document.querySelectorAll('script[src], link[href]')].map(
    (element) => element.getAttribute('src') ?? element.getAttribute('href') ?? '',
  )
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
  const urls = [...named, ...loaded].map((each) => new URL(each, location.href))
  const own = urls.filter(({ origin, pathname }) => origin === location.origin && isAsset(pathname))
  return [...new Set(own.map(({ pathname }) => pathname))]
}
