import type { Operation } from '#lib/server/http/operation.ts'
import { observeRequests } from '#lib/server/metrics/process-metrics.ts'
import { APIS, type Api, createApiDispatcher } from '#lib/server/operations/api.ts'
import { getServices } from '#lib/server/services.ts'
import { everyMethodOf } from './every-method.ts'

/** Handlers of a route file: its operations, and 405 for every other method. */
export function serve(...operations: readonly [Operation, ...Operation[]]) {
  return serveApi(operations[0].api as Api, operations)
}

/** As `serve`, for the addresses of an API that no route file has: additions, else 404. */
export function serveApi(api: Api, operations: readonly Operation[]) {
  const observe = observeRequests(APIS[api].base)
  return everyMethodOf(createApiDispatcher(api, operations, { services: getServices, observe }))
}
