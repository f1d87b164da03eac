import { unsubscribeByKey } from '#lib/core/people/mail/subscription.ts'
import { answerEmailLink } from '#lib/views/read.ts'

/** Ends the e-mails, for the page's button and for mail programs (RFC 8058). */
export async function POST(
  request: Request,
  { params }: { params: Promise<{ key: string }> },
): Promise<Response> {
  return answerEmailLink(request, (await params).key, unsubscribeByKey)
}
