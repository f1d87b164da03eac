import { answerHealth, askedBy } from '../../lib/api/health/answer-health.ts'
import { getServices } from '../../lib/services.ts'

const answer = (request: Request): Promise<Response> =>
  answerHealth('/readyz', askedBy(request), { services: getServices })

export { answer as GET, answer as HEAD }

export const dynamic = 'force-dynamic'
