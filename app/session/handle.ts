import { getServices } from '#lib/core/context/services.ts'
import { createSessionHandler } from '#lib/server/operations/session/handler.ts'

/** Answers every method of the session paths; the handler decides what exists. */
export const handle = createSessionHandler({ services: getServices })
