import { assetHosts, worldFrameSources } from './asset-policy.ts'

/** Its relay, and what its client asks besides. */
const WALLET_CONNECT = [
  'wss://relay.walletconnect.com',
  'wss://relay.walletconnect.org',
  'https://*.walletconnect.com',
  'https://*.walletconnect.org',
]

/**
 * Headers of our own pages. Their `frame-src` also holds for what a World does with its frame: it can lead it to no
 * other address. Scripts reach this site, the one node of the chain that browsers are told of, and, where it is
 * offered, WalletConnect.
 *
 * @param rpcUrl Where browsers reach the chain.
 */
export function pageHeaders(
  config: Parameters<typeof assetHosts>[0] & { readonly walletConnectProjectId?: string | undefined },
  rpcUrl?: string | undefined,
): Readonly<Record<string, string>> {
  const reached = [
    "'self'",
    ...(rpcUrl === undefined ? [] : [new URL(rpcUrl).origin]),
    ...(config.walletConnectProjectId === undefined ? [] : WALLET_CONNECT),
  ]
  return {
    'Content-Security-Policy': [
      `connect-src ${reached.join(' ')}`,
      `frame-src ${worldFrameSources(assetHosts(config)).join(' ')}`,
      "frame-ancestors 'self'",
      "object-src 'none'",
      "base-uri 'self'",
      "form-action 'self'",
    ].join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
  }
}

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
}
