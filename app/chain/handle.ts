import { createChainDispatcher } from '../../lib/api/chain/dispatcher.ts'
import { observeRequests } from '../../lib/metrics/observe-requests.ts'
import { getServices } from '../../lib/services.ts'
import { everyMethodOf } from '../every-method.ts'

/** Every method of any path below `/chain`: the operations decide between an answer, 404 and 405. */
export const everyMethod = everyMethodOf(
  createChainDispatcher({ services: getServices, observe: observeRequests('/chain') }),
)

/** The handlers of a documented path. `path` is what `test/api/route-files.test.ts` compares with the operations. */
export const chainRoute = (_path: string) => everyMethod
