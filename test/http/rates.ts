import type { Config } from '../../lib/config.ts'
import type { Operation } from '../../lib/http/operation.ts'
import { LIMIT_CLASSES, type Limits } from '../../lib/limits/limit-class.ts'

const everywhere = (rate: number) =>
  Object.fromEntries(LIMIT_CLASSES.map((each) => [each, rate])) as unknown as Limits

/** Lets everybody do everything as often as they like: made-up requests come faster than anybody's. */
export const UNCOUNTED: Limits = everywhere(0)

/** A server behind one proxy, which lets every client address do everything costly once a minute. */
export const ONCE_A_MINUTE = {
  trustedProxies: 1,
  limits: everywhere(1),
} satisfies Partial<Config>

/** Operations whose requests are counted, each with a client address that no other has. */
export function counted(
  operations: readonly Operation[],
): [id: string, operation: Operation, client: string][] {
  return operations
    .filter(({ limit }) => limit !== undefined)
    .map((operation, index) => [operation.id, operation, `198.51.100.${index + 1}`])
}
