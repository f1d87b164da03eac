import { createSessionHandler } from '#lib/server/operations/session/handler.ts'
import { getServices } from '#lib/server/services.ts'

/** Answers every method of the session paths; the handler decides what exists. */
export const handle = createSessionHandler({ services: getServices })
