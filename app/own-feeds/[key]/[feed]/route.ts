import { ownAtomFeed } from '#lib/views/own-feeds.ts'
import { answerSecretFeed } from '#lib/views/read.ts'

/** The Atom feeds of an account, at addresses that only it knows. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ key: string; feed: string }> },
): Promise<Response> {
  const { key, feed } = await params
  const of = (['followed', 'notices'] as const).find((name) => feed === `${name}.xml`)
  return answerSecretFeed(request, async (ctx) => (of === undefined ? undefined : ownAtomFeed(ctx, key, of)))
}

export const dynamic = 'force-dynamic'
