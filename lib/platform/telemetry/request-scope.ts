import type { Principal } from '../limits/principal.ts'
import { processStorage } from './process-storage.ts'

/** The current request; for log lines without `client`, `principal` and `leavePlace`. */
export interface RequestScope {
  /** Rate-limit key of the client address; undefined for programs on this machine. */
  readonly client?: string | undefined
  readonly principal?: Principal | undefined
  /** Releases the request's place among those in work; called before it takes or waits for another. */
  readonly leavePlace?: () => void
  readonly requestId: string
  readonly operation: string
  readonly traceId?: string
}

/** Runs `work` in the scope of a request, on worker threads as well. */
export function forRequest<T>(scope: RequestScope, work: () => T): T {
  return processStorage<RequestScope>('requests').run(scope, work)
}

/** Runs `work` in the scope of no request: nothing of it counts as its client's. */
export function outsideRequests<T>(work: () => T): T {
  return processStorage<RequestScope>('requests').exit(work)
}

/** Returns the request in whose scope the caller runs, if any. */
export function currentRequest(): RequestScope | undefined {
  return processStorage<RequestScope>('requests').getStore()
}
