import { createServicesDispatcher } from '../../lib/api/services/dispatcher.ts'
import { observeRequests } from '../../lib/metrics/observe-requests.ts'
import { getServices } from '../../lib/services.ts'
import { everyMethodOf } from '../every-method.ts'

/** Every method of any path below `/services`: the operations decide between an answer, 404 and 405. */
export const everyMethod = everyMethodOf(
  createServicesDispatcher({ services: getServices, observe: observeRequests('/services') }),
)

/** The handlers of a documented path. `path` is what `test/api/route-files.test.ts` compares with the operations. */
export const servicesRoute = (_path: string) => everyMethod
