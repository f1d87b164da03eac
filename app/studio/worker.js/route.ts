import { readConfig } from '../../../lib/platform/config.ts'
import { SERVICE_WORKER_HEADERS } from '../../../lib/server/page-policy/worker-csp.ts'
import { SERVICE_WORKER_SCRIPT } from '../../../lib/ui/studio/offline/built/service-worker-script.ts'
import { REMOVAL_SCRIPT } from '../../../lib/ui/studio/offline/removal.ts'

/** Whether there is a worker is a setting of the process, not of the build. */
export const dynamic = 'force-dynamic'

export function GET(): Response {
  const { studioOffline } = readConfig(process.env)
  return new Response(studioOffline ? SERVICE_WORKER_SCRIPT : REMOVAL_SCRIPT, {
    headers: SERVICE_WORKER_HEADERS,
  })
}
