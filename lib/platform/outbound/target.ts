import { Resolver } from 'node:dns/promises'
import { BlockList, isIP, isIPv6 } from 'node:net'

/*
 * Which addresses webhooks may reach. Any account may name one, so only the public Internet is: a request to a
 * private address would let a stranger use this server to reach what only it can reach.
 */

export const MAX_URL_LENGTH = 500

/** A target that is refused, with a reason for its owner. */
export class RefusedTarget extends Error {
  override readonly name = 'RefusedTarget'
}

export interface TargetPolicy {
  /** Development only: `http`, any port, and addresses of this machine. */
  readonly allowLoopback: boolean
}

/**
 * Parses the address of a receiver. Its host name is not resolved.
 *
 * @throws RefusedTarget
 */
export function parseTarget(text: string, { allowLoopback }: TargetPolicy): URL {
  if (text.length > MAX_URL_LENGTH) refuse(`an address has at most ${MAX_URL_LENGTH} characters`)
  const url = URL.parse(text)
  if (url === null) return refuse('that is no address: expected https://host/path')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') refuse('the address must begin with https://')
  if (url.username !== '' || url.password !== '') refuse('the address must contain no user name or password')
  if (url.hash !== '') refuse('the address must contain no #fragment')
  const host = hostOf(url)
  if (isLoopbackHost(host)) {
    if (allowLoopback) return url
    refuse(
      'this server cannot reach your own machine: give a public https address, such as one of a tunnel to it',
    )
  }
  if (url.protocol === 'http:') refuse('the address must begin with https://')
  // `URL` leaves out the default port.
  if (url.port !== '') refuse('only port 443 can be reached')
  if (isIP(host) !== 0) requirePublic(host)
  else if (!isPublicName(host)) refuse(`${host} is not a name of the public Internet`)
  return url
}

/** Returns the host as the resolver takes it: no brackets, no final dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

/** Names that only resolve inside some network, whatever a resolver would return. */
const INTERNAL_NAME =
  /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|private|home\.arpa|test|invalid|onion)$/

function isPublicName(host: string): boolean {
  return host.includes('.') && !INTERNAL_NAME.test(host)
}

function isLoopbackHost(host: string): boolean {
  if (host === 'localhost') return true
  return isIP(host) !== 0 && LOOPBACK.check(host, isIPv6(host) ? 'ipv6' : 'ipv4')
}

/** Milliseconds for one answer of a name server, and attempts. */
const RESOLVE = { timeout: 2_500, tries: 2, maxTimeout: 2_500 }

/**
 * Resolves the host of a parsed target, once: the request must connect to the address returned here. The system's own
 * resolver is not used, because its threads are few and a slow name server would hold them.
 *
 * @throws RefusedTarget when any of its addresses is not public, Error when there is none.
 */
export async function resolveTarget(
  url: URL,
  policy: TargetPolicy,
  resolve: (host: string, signal: AbortSignal) => Promise<readonly string[]> = resolveName,
  signal: AbortSignal = AbortSignal.timeout(10_000),
): Promise<{ readonly address: string; readonly family: 4 | 6 }> {
  const host = hostOf(url)
  if (policy.allowLoopback && host === 'localhost') return { address: '127.0.0.1', family: 4 }
  const addresses = isIP(host) === 0 ? await resolve(host, signal) : [host]
  for (const address of addresses) {
    if (policy.allowLoopback && isLoopbackHost(address)) continue
    requirePublic(address)
  }
  const address = addresses[0]
  if (address === undefined) throw new Error(`${host} has no address`)
  return { address, family: isIPv6(address) ? 6 : 4 }
}

async function resolveName(host: string, signal: AbortSignal): Promise<readonly string[]> {
  const resolver = new Resolver(RESOLVE)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return [v4, v6].flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** @throws RefusedTarget for an address outside the public Internet. */
export function requirePublic(address: string): void {
  const family = isIP(address)
  const closed =
    family === 4
      ? CLOSED_V4.check(address, 'ipv4')
      : family !== 6 ||
        address.includes('%') ||
        !GLOBAL_V6.check(address, 'ipv6') ||
        CLOSED_V6.check(address, 'ipv6')
  if (closed) refuse(`${address} is not an address of the public Internet`)
}

function refuse(reason: string): never {
  throw new RefusedTarget(reason)
}

function blockList(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', bits = ''] = range.split('/')
    list.addSubnet(network, Number(bits), family)
  }
  return list
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** IANA's special-purpose addresses, multicast, and one public address that a cloud answers metadata at. */
const CLOSED_V4 = blockList('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
])

/** Global unicast: without IPv4-mapped (`::ffff:0:0/96`), NAT64 (`64:ff9b::/96`), unique local, link-local and multicast. */
const GLOBAL_V6 = blockList('ipv6', ['2000::/3'])

/** Inside it: protocol assignments (Teredo among them), documentation, 6to4, which wraps any IPv4 address. */
const CLOSED_V6 = blockList('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])
