import { isIPv4, isIPv6 } from 'node:net'
import { isLoopback } from '#lib/protocol/dev-chain.ts'
import type { RequestHeaders } from './request.ts'

/** The origin of a request on the network. */
export interface Sender {
  /** Remote address of the connection; undefined where the server does not expose it. */
  readonly peer: string | undefined
  readonly headers: Pick<RequestHeaders, 'get'>
}

/**
 * The rate-limit key of a client: its IPv4 address, or the /64 network of its IPv6 address, which one client owns.
 *
 * @param trustedProxies Number of our own proxies in front. Each appends the address of its client to
 *   `X-Forwarded-For`; entries before those are untrusted and ignored.
 * @returns undefined for programs on this machine, which are not limited, and for unknown addresses.
 */
export function clientKey({ peer, headers }: Sender, trustedProxies: number): string | undefined {
  if (trustedProxies === 0) return peer === undefined || isLoopback(bare(peer)) ? undefined : keyOf(peer)
  const forwarded = headers.get('x-forwarded-for')?.split(',') ?? []
  // A request that bypassed our proxies has fewer entries.
  const client = forwarded.at(-Math.min(trustedProxies, forwarded.length))?.trim()
  if (client !== undefined) return keyOf(client)
  return peer === undefined || isLoopback(bare(peer)) ? undefined : keyOf(peer)
}

/** Malformed addresses share one key, so that none escapes the limit. */
function keyOf(text: string): string {
  const address = bare(text)
  if (isIPv4(address)) return address
  if (!isIPv6(address)) return 'unknown'
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const end = tail === undefined || tail === '' ? [] : tail.split(':')
  // A dotted end takes the room of two groups.
  const groupCount = groups.length + end.length + (address.includes('.') ? 1 : 0)
  const all = tail === undefined ? groups : [...groups, ...Array<string>(8 - groupCount).fill('0'), ...end]
  const network = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}

/** Without port, brackets and zone; IPv4-mapped IPv6 addresses as IPv4. */
function bare(text: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? text
  const plain = /^[\d.]+:\d+$/.test(bracketed) ? (bracketed.split(':')[0] as string) : bracketed
  const [address = ''] = plain.split('%')
  return /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address
}
