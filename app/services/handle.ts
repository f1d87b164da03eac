import { createServicesDispatcher } from '../../lib/api/services/dispatcher.ts'
import { observeRequests } from '../../lib/metrics/observe-requests.ts'
import { getServices } from '../../lib/services.ts'

const dispatch = createServicesDispatcher({ services: getServices, observe: observeRequests('/services') })

/** Answers every method of every path below `/services`; the operations decide what exists. */
export function handle(request: Request): Promise<Response> {
  return dispatch(request)
}
