import type { Services } from '../../../context/context.ts'
import { isSameSecret } from '../../http/secrets.ts'
import { workerStep } from './worker-step.ts'

const DEFAULT_SECONDS = 25
const MAX_SECONDS = 280

/**
 * Answers `/worker/step`: does the worker's work for `?seconds=`, and says what is left. Without CRON_SECRET there is no
 * such address. Safe to call twice and at once.
 */
export async function answerWorkerStep(
  request: Request,
  getServices: () => Promise<Services>,
): Promise<Response> {
  const services = await getServices()
  const { cronSecret } = services.config
  if (cronSecret === undefined)
    return answer(404, { message: 'CRON_SECRET is not set, so there is no such address' })
  if (!isSameSecret(request.headers.get('authorization'), `Bearer ${cronSecret}`)) {
    return answer(
      401,
      { message: 'Send the CRON_SECRET of this server as a bearer token' },
      {
        'WWW-Authenticate': 'Bearer realm="worker"',
      },
    )
  }
  const text = new URL(request.url).searchParams.get('seconds') ?? String(DEFAULT_SECONDS)
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (seconds < 1 || seconds > MAX_SECONDS) {
    return answer(400, { message: `seconds must be a whole number from 1 to ${MAX_SECONDS}` })
  }
  const report = await workerStep(services, seconds * 1000)
  return answer(report.problem === null ? 200 : 503, report)
}

function answer(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json(body, {
    status,
    headers: { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', ...headers },
  })
}
