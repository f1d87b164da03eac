const WORKER_SCRIPT = /^\/_next\/static\/chunks\/turbopack-worker-[\w-]+\.js$/

/** Whether a path is that of the script with which our workers begin. */
export function isWorkerScript(path: string): boolean {
  return WORKER_SCRIPT.test(path)
}

/**
 * Headers of such a script; a worker lives under the policy its script came with. Ours make functions of code they
 * translate, which is strangers' code: so they may, and reach nothing but our own scripts.
 */
export const WORKER_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': "default-src 'none'; script-src 'self' 'unsafe-eval'",
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/** Whether a path is that of the studio's service worker. */
export function isServiceWorker(path: string): boolean {
  return path === '/studio/worker.js'
}

/** Headers of the studio's service worker: it fetches from this site, for the studio, and runs nothing else. */
export const SERVICE_WORKER_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/javascript; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; connect-src 'self'",
  'Service-Worker-Allowed': '/studio',
  'Cache-Control': 'no-cache',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
}
