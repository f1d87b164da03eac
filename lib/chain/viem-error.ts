import type { BaseError } from 'viem'

/**
 * Finds an error by name among a thrown one and its causes. Not by class, because pages, routes and the server have
 * separate copies of viem and share one client.
 *
 * @param name For instance `RpcRequestError`.
 */
export function viemError<E extends BaseError = BaseError>(error: unknown, name: E['name']): E | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each.name === name) return each as E
  }
  return undefined
}
