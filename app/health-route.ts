import { getServices } from '#lib/core/context/services.ts'
import { answerHealth, healthRequestOf } from '#lib/server/operations/health/answer-health.ts'

/** The handlers of a health endpoint. */
export function healthRoute(path: string) {
  const handle = (request: Request): Promise<Response> =>
    answerHealth(path, healthRequestOf(request), { services: getServices })
  return { GET: handle, HEAD: handle }
}
