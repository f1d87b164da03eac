import { createSessionHandler } from '../../lib/api/session/handler.ts'
import { getServices } from '../../lib/services.ts'

/** Answers every method of the session paths; the handler decides what exists. */
export const handle = createSessionHandler({ services: getServices })
