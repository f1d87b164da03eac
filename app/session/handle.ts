import { createSessionDispatcher } from '#lib/server/operations/session/dispatcher.ts'
import { getServices } from '#lib/server/services.ts'
import { everyMethodOf } from '../every-method.ts'

/** Answers the methods of the session paths; the dispatcher decides what exists. */
export const { DELETE, GET, PATCH, POST, PUT } = everyMethodOf(
  createSessionDispatcher({ services: getServices }),
)
