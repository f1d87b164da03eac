import { SERVICE_WORKER_HEADERS } from '#lib/server/page-policy/worker-csp.ts'
import { SERVICE_WORKER_SCRIPT } from '#lib/ui/studio/offline/built/service-worker-script.ts'

export function GET(): Response {
  return new Response(SERVICE_WORKER_SCRIPT, { headers: SERVICE_WORKER_HEADERS })
}
