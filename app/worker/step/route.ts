import { createWorkerDispatcher } from '#lib/server/operations/worker/worker-step.ts'
import { getServices } from '#lib/server/services.ts'
import { everyMethodOf } from '../../every-method.ts'

export const { GET, POST } = everyMethodOf(createWorkerDispatcher({ services: getServices }))

export const dynamic = 'force-dynamic'
export const maxDuration = 300
