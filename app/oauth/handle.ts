import { createOAuthDispatcher } from '#lib/features/agents/index.ts'
import { getServices } from '#lib/server/services.ts'
import { everyMethodOf } from '../every-method.ts'

/** Answers every method of the authorisation server's paths; the dispatcher decides what exists. */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = everyMethodOf(
  createOAuthDispatcher({ services: getServices }),
)
