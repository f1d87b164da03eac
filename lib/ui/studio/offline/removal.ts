/**
 * The script in place of the service worker where the studio is not to work offline: browsers that have one fetch it at
 * their next visit, and it removes the worker with all that it stored.
 */
export const REMOVAL_SCRIPT = `self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith('weft-studio-')) await caches.delete(name)
  await self.registration.unregister()
})()))
`
