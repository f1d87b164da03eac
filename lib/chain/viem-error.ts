import type { BaseError } from 'viem'

/**
 * The error of that name among a thrown one and its causes. By name, not by class: pages, routes and the server
 * around them each have a copy of viem and share one client, so that the class of what it throws may be another copy's.
 *
 * @param name As viem calls it: `RpcRequestError`.
 */
export function viemError<E extends BaseError = BaseError>(error: unknown, name: E['name']): E | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each.name === name) return each as E
  }
  return undefined
}
