import { type NextRequest, NextResponse } from 'next/server'
import { arePageHeadersSent } from './lib/page-policy/own-server.ts'
import { type PageHeaders, pageHeaders } from './lib/page-policy/page-headers.ts'
import { withoutTrailingSlash } from './lib/page-policy/trailing-slash.ts'
import { themeScript } from './lib/ui/theme-script.ts'

/*
 * Gives pages their headers where Next answers by itself: on a platform, and under `next dev` and `next start`. The
 * site's own server (`npm run site`) does so itself and says so in this very process. Nothing in a request can: one that
 * brings a policy along gets ours all the same.
 */

export const config = { matcher: '/((?!_next/|chain/|services/|studio/api/|mcp$).*)' }

let headersOf: ((path: string) => PageHeaders) | undefined

export function proxy(request: NextRequest): NextResponse {
  if (arePageHeadersSent()) return NextResponse.next()
  const bare = withoutTrailingSlash(request.nextUrl.pathname)
  if (bare !== undefined && (request.method === 'GET' || request.method === 'HEAD'))
    return NextResponse.redirect(new URL(bare + request.nextUrl.search, request.nextUrl), 308)
  headersOf ??= pageHeaders(settingsOf(process.env))
  const answered = headersOf(request.nextUrl.pathname)
  const asked = new Headers(request.headers)
  // Next takes the nonce of its own scripts from here.
  asked.set('Content-Security-Policy', answered['Content-Security-Policy'])
  return NextResponse.next({ request: { headers: asked }, headers: { ...answered } })
}

function settingsOf(env: NodeJS.ProcessEnv): Parameters<typeof pageHeaders>[0] {
  return {
    siteOrigin: env.SITE_ORIGIN || `http://localhost:${env.PORT || 3000}`,
    assetOrigin: env.ASSET_ORIGIN || undefined,
    walletConnectProjectId: env.WALLETCONNECT_PROJECT_ID || undefined,
    // A developer's own node is no secret to the developer's own browser.
    rpcUrl: env.PUBLIC_RPC_URL || (env.VERCEL === '1' ? undefined : env.CHAIN_RPC_URL) || undefined,
    inlineScripts: [themeScript],
    development: env.NODE_ENV === 'development',
  }
}
