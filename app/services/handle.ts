import { getServices } from '#lib/core/context/services.ts'
import { observeRequests } from '#lib/server/metrics/process-metrics.ts'
import { createServicesDispatcher } from '#lib/server/operations/services/dispatcher.ts'
import { everyMethodOf } from '../every-method.ts'

/** Every method of any path below `/services`: the operations decide between an answer, 404 and 405. */
export const everyMethod = everyMethodOf(
  createServicesDispatcher({ services: getServices, observe: observeRequests('/services') }),
)

/** The handlers of a documented path. `path` is what `test/server/chain/route-files.test.ts` compares with the operations. */
export function servicesRoute(_path: string) {
  return everyMethod
}
