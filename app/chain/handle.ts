import { createChainDispatcher } from '../../lib/api/chain/dispatcher.ts'
import { getServices } from '../../lib/services.ts'

const dispatch = createChainDispatcher({ services: getServices })

/** Answers every method of every path below `/chain`; the operations decide what exists. */
export function handle(request: Request): Promise<Response> {
  return dispatch(request)
}
