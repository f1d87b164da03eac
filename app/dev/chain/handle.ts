import { createDevPanelDispatcher } from '#lib/features/dev-chain/index.ts'
import { getServices } from '#lib/server/services.ts'
import { everyMethodOf } from '../../every-method.ts'

export const { POST } = everyMethodOf(createDevPanelDispatcher({ services: getServices }))
