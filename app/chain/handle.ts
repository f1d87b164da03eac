import { getServices } from '#lib/core/context/services.ts'
import { observeRequests } from '#lib/server/metrics/process-metrics.ts'
import { createChainDispatcher } from '#lib/server/operations/chain/dispatcher.ts'
import { everyMethodOf } from '../every-method.ts'

/** Every method of any path below `/chain`: the operations decide between an answer, 404 and 405. */
export const everyMethod = everyMethodOf(
  createChainDispatcher({ services: getServices, observe: observeRequests('/chain') }),
)

/** The handlers of a documented path. `path` is what `test/server/chain/route-files.test.ts` compares with the operations. */
export function chainRoute(_path: string) {
  return everyMethod
}
