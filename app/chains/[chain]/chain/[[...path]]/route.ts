import { getServices } from '#lib/core/context/services.ts'
import { createChainsDispatcher } from '#lib/server/operations/api-handlers.ts'
import { everyMethodOf } from '../../../../every-method.ts'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = everyMethodOf(
  createChainsDispatcher(getServices),
)
