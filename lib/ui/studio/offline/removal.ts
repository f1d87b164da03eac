/**
 * The script in place of the service worker where the studio is not to work offline: browsers that have one fetch it at
 * their next visit, and it removes the worker with all that it stored.
 */
export const REMOVAL_SCRIPT = `self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => {
  const emptied = caches.keys().then((names) =>
    Promise.all(names.filter((name) => name.startsWith('weft-studio-')).map((name) => caches.delete(name))))
  event.waitUntil(emptied)
  // Not a part of the activation, which it may wait for itself, and the pages of the studio with it.
  emptied.then(() => self.registration.unregister())
})
`
