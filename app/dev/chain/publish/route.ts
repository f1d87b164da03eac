import { publishSample } from '#lib/core/entities/publication/publish-sample.ts'
import { handleDevForm } from '../handle.ts'

export const dynamic = 'force-dynamic'

export function POST(request: Request): Promise<Response> {
  return handleDevForm(request, async (ctx) => `Published ${await publishSample(ctx)}.`)
}
