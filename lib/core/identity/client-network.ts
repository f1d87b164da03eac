import { createHmac } from 'node:crypto'
import type { Context, Services } from '#lib/core/context/context.ts'
import type { Address } from '#lib/protocol/entity.ts'

/** For this long after its first sign-in an account counts together with the others of its network: accounts are free. */
export const FRESH_MS = 30 * 24 * 60 * 60_000

/**
 * Keyed hash of the network that a request comes from: an IPv4 address, or the /48 of an IPv6 address, which one customer may
 * have as a whole. Equal for equal networks; the address cannot be read from it.
 */
export function clientNetwork({ client, config }: Pick<Context, 'client' | 'config'>): string {
  const [first = '', second = '', third = '', , rest] = (client ?? 'this machine').split(':')
  const network = rest === undefined ? first : [first, second, third].join(':')
  return createHmac('sha256', config.chainTokenKey)
    .update(`network ${network}`)
    .digest('base64url')
    .slice(0, 22)
}

/** Key by which the account is counted: its own address, or the network that it shares while it is fresh. */
export async function accountShare(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  account: Address,
): Promise<string> {
  const fresh = new Date(clock().getTime() - FRESH_MS).toISOString()
  const [row] = await db.sql<{ network: string | null }[]>`
    select network from users where address = ${account} and created_at > ${fresh}`
  return row?.network ?? account
}
