import { confirmByKey } from '#lib/core/people/mail/subscription.ts'
import { answerEmailLink } from '#lib/views/read.ts'

/** Confirms the address that the link was sent to. */
export async function POST(
  request: Request,
  { params }: { params: Promise<{ key: string }> },
): Promise<Response> {
  return answerEmailLink(request, (await params).key, confirmByKey)
}
