import { getServices } from '#lib/core/context/services.ts'
import { observeRequests } from '#lib/server/metrics/process-metrics.ts'
import { createStudioDispatcher } from '#lib/server/operations/studio/dispatcher.ts'
import { everyMethodOf } from '../../../every-method.ts'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = everyMethodOf(
  createStudioDispatcher({ services: getServices, observe: observeRequests('/studio/api') }),
)
