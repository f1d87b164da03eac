import { answerWorkerStep } from '#lib/server/operations/worker/worker-step.ts'
import { getServices } from '#lib/server/services.ts'

/** GET too: the cron of some platforms sends nothing else. */
export async function POST(request: Request): Promise<Response> {
  return answerWorkerStep(request, getServices)
}

export const GET = POST

export const dynamic = 'force-dynamic'
export const maxDuration = 300
