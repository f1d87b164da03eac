import { answerHealth, healthRequestOf } from '#lib/server/operations/health/answer-health.ts'
import { getServices } from '#lib/server/services.ts'

/** The handlers of a health endpoint. */
export function healthRoute(path: string) {
  const handle = (request: Request): Promise<Response> =>
    answerHealth(path, healthRequestOf(request), { services: getServices })
  return { GET: handle, HEAD: handle }
}
