import { fromWebRequest, toWebResponse } from '#lib/server/http/web-adapter.ts'
import { createHealthDispatcher } from '#lib/server/operations/health/probes.ts'
import { getServices } from '#lib/server/services.ts'

const health = createHealthDispatcher({ services: getServices })

/** The handlers of a health endpoint, whose address may have been rewritten to that of the route. */
export function healthRoute(pathname: string) {
  const handle = async (request: Request): Promise<Response> =>
    toWebResponse(await health.handle({ ...fromWebRequest(request), pathname }))
  return { GET: handle, HEAD: handle }
}
