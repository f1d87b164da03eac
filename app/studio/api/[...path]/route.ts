import { createStudioDispatcher } from '../../../../lib/api/studio/dispatcher.ts'
import { observeRequests } from '../../../../lib/metrics/observe-requests.ts'
import { getServices } from '../../../../lib/services.ts'
import { everyMethodOf } from '../../../every-method.ts'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = everyMethodOf(
  createStudioDispatcher({ services: getServices, observe: observeRequests('/studio/api') }),
)
