import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import { getServices } from '../services.ts'
import { currentRequest } from '../telemetry/request-scope.ts'

/** A page waits at most this long for what it shows. */
const PATIENCE_MS = 5000

/** The context in which a page of the site reads: nobody signed in, and limited patience. */
export async function pageContext(): Promise<Context> {
  return {
    ...(await getServices()),
    requestId: currentRequest()?.requestId ?? randomUUID(),
    caller: undefined,
    session: undefined,
    signal: AbortSignal.timeout(PATIENCE_MS),
  }
}
