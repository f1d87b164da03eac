import type { Config } from '#lib/platform/config.ts'
import { rateLimits } from '#lib/platform/limits/rate-limits.ts'
import type { Operation } from '#lib/server/http/operation.ts'

/** No rate limits: generated requests come faster than any client's. */
export const UNLIMITED = rateLimits(0)

/** A server behind one proxy, with a limit of one request a minute for each class and client address. */
export const ONCE_A_MINUTE = {
  trustedProxies: 1,
  rateLimits: rateLimits(1),
} satisfies Partial<Config>

/** Operations whose requests are counted, each with a client address that no other has. */
export function counted(
  operations: readonly Operation[],
): [id: string, operation: Operation, client: string][] {
  return operations
    .filter(({ limit }) => limit !== undefined)
    .map((operation, index) => [operation.id, operation, `198.51.100.${index + 1}`])
}
