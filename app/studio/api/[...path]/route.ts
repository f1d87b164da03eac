import { createStudioDispatcher } from '../../../../lib/api/studio/dispatcher.ts'
import { observeRequests } from '../../../../lib/metrics/observe-requests.ts'
import { getServices } from '../../../../lib/services.ts'

const dispatch = createStudioDispatcher({ services: getServices, observe: observeRequests('/studio/api') })

/** Answers every method of every path below `/studio/api`; the operations decide what exists. */
function handle(request: Request): Promise<Response> {
  return dispatch(request)
}

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
}

export const dynamic = 'force-dynamic'
