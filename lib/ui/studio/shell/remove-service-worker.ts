/** Removes the service worker that releases before 0.5 left in browsers, with all that it stored. */
export async function removeServiceWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  try {
    const registration = await navigator.serviceWorker.getRegistration('/studio')
    if (registration === undefined) return
    await registration.unregister()
    for (const name of await caches.keys()) if (name.startsWith('weft-studio-')) await caches.delete(name)
  } catch {
    // Private windows, and policies of a browser's owner.
  }
}
