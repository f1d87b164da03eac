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
