import { isIPv4, isIPv6 } from 'node:net'
import { isLoopback } from '../domain/dev-chain.ts'
import type { RequestHeaders } from './incoming.ts'

/** Who sent a request, as far as the network says. */
export interface Sender {
  /** Address of the other end of the connection; undefined where the server does not say. */
  readonly peer: string | undefined
  readonly headers: Pick<RequestHeaders, 'get'>
}

/**
 * What requests of one client are counted under: its IPv4 address, or the /64 network of its IPv6 address, which one
 * client has all of.
 *
 * @param trustedProxies How many proxies of ours a request passes. Each adds the address it was asked from at the end
 *   of `X-Forwarded-For`; whatever stands before that anybody may have written, and is never read.
 * @returns Undefined for programs on this machine, which are not limited, and where nothing is known.
 */
export function clientKey({ peer, headers }: Sender, trustedProxies: number): string | undefined {
  if (trustedProxies === 0) return peer === undefined || isLoopback(bare(peer)) ? undefined : keyOf(peer)
  const forwarded = headers.get('x-forwarded-for')?.split(',') ?? []
  // Who came past our proxies is known by less than they would have added.
  const client = forwarded.at(-Math.min(trustedProxies, forwarded.length))?.trim()
  if (client !== undefined) return keyOf(client)
  return peer === undefined || isLoopback(bare(peer)) ? undefined : keyOf(peer)
}

/** What no address is all have together, so that nobody escapes by a strange one. */
function keyOf(text: string): string {
  const address = bare(text)
  if (isIPv4(address)) return address
  if (!isIPv6(address)) return 'unknown'
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const end = tail === undefined || tail === '' ? [] : tail.split(':')
  // A dotted end takes the room of two groups.
  const taken = groups.length + end.length + (address.includes('.') ? 1 : 0)
  const all = tail === undefined ? groups : [...groups, ...Array<string>(8 - taken).fill('0'), ...end]
  const network = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}

/** Without port, brackets and zone; an IPv4 address in IPv6 clothes as what it is. */
function bare(text: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? text
  const plain = /^[\d.]+:\d+$/.test(bracketed) ? (bracketed.split(':')[0] as string) : bracketed
  const [address = ''] = plain.split('%')
  return /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address
}
