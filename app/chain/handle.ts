import { createChainDispatcher } from '../../lib/api/chain/dispatcher.ts'
import { observeRequests } from '../../lib/metrics/observe-requests.ts'
import { getServices } from '../../lib/services.ts'

const dispatch = createChainDispatcher({ services: getServices, observe: observeRequests('/chain') })

/** Answers every method of every path below `/chain`; the operations decide what exists. */
export function handle(request: Request): Promise<Response> {
  return dispatch(request)
}
