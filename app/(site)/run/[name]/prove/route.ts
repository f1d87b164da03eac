import { describeChain } from '../../../../../lib/chain/dev/describe-chain.ts'
import { Failure } from '../../../../../lib/protocol/failure.ts'
import { readRunLink, runHref } from '../../../../../lib/protocol/run-link.ts'
import { OWN_NODES_SCRIPT } from '../../../../../lib/ui/run/prove/built/own-nodes-script.ts'
import { ownNodesPage } from '../../../../../lib/ui/run/prove/own-nodes-page.ts'
import { queryOf } from '../../../../../lib/views/page-exists.ts'
import { pageContext } from '../../../../../lib/views/read.ts'

/** The page that proves a run by nodes of the reader's choice; its policy (`page-headers.ts`) gives it an origin of its own. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ name: string }> },
): Promise<Response> {
  const { name } = await params
  const read = readRunLink(name, queryOf(new URL(request.url).searchParams))
  if (!read.ok) return plain(400, read.problems.join('\n'))
  const { connector, count, dynamicRi, block } = read.link
  try {
    const ctx = await pageContext()
    if (ctx.chain === undefined)
      return plain(503, 'There is nothing to prove: no chain is configured on this server')
    const described = await describeChain(ctx)
    const [, nonce = ''] = /'nonce-([\w-]+)'/.exec(request.headers.get('content-security-policy') ?? '') ?? []
    const { registry, runner } = ctx.chain
    const page = ownNodesPage(
      {
        ...{ registry, runner, connector, count, starts: dynamicRi, ranAt: block ?? null },
        ...{ site: ctx.config.siteOrigin, href: runHref(read.link), node: described?.rpcUrl },
      },
      OWN_NODES_SCRIPT,
      nonce,
    )
    return new Response(page, {
      headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' },
    })
  } catch (error) {
    if (error instanceof Failure) return plain(503, error.message)
    throw error
  }
}

function plain(status: number, text: string): Response {
  return new Response(`${text}\n`, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
}

export const dynamic = 'force-dynamic'
