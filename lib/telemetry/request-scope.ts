import { AsyncLocalStorage } from 'node:async_hooks'

/** The request that work is done for, as log lines name it; but for its client, which is in none. */
export interface RequestScope {
  /** What is counted for the client together; undefined for programs on this machine. */
  readonly client?: string | undefined
  readonly requestId: string
  readonly operation: string
  readonly traceId?: string
}

declare global {
  // Route handlers are bundled apart and share no module state, only the process.
  var weftRequests: AsyncLocalStorage<RequestScope> | undefined
}

const requests = (): AsyncLocalStorage<RequestScope> => {
  globalThis.weftRequests ??= new AsyncLocalStorage()
  return globalThis.weftRequests
}

/** Does work for a request: all that it leads to, on threads as well, can tell for which. */
export function forRequest<T>(scope: RequestScope, work: () => T): T {
  return requests().run(scope, work)
}

/** The request that is being worked for; undefined for work that nobody asked for. */
export function currentRequest(): RequestScope | undefined {
  return requests().getStore()
}
