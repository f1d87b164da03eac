import { type NextRequest, NextResponse } from 'next/server'
import { parseEndpoints } from '#lib/features/assistant/index.ts'
import { movedPage } from '#lib/server/page-policy/moved-pages.ts'
import { arePageHeadersSent, type PageHeaders, pageHeaders } from '#lib/server/page-policy/page-headers.ts'
import { withoutTrailingSlash } from '#lib/server/page-policy/trailing-slash.ts'
import { themeScript } from '#lib/ui/components/theme-script.ts'

/*
 * Sets the headers of pages where Next serves them directly: on a platform, and under `next dev` and `next start`. The
 * site's own server (`npm run site`) sets them itself and sets an in-process flag. A request cannot disable this: a
 * policy in its headers is overwritten.
 */

export const config = {
  // Not those that set a policy of their own, which Next would drop in favour of the one set here.
  matcher:
    '/((?!_next/|chain/|services/|studio/api/|studio/worker\\.js$|mcp$|mcp/account$|connectors/[^/]+/piece\\.html$|worlds/[^/]+/source/file$).*)',
}

let headersOf: ((path: string) => PageHeaders) | undefined

export function proxy(request: NextRequest): NextResponse {
  if (arePageHeadersSent()) return NextResponse.next()
  const { pathname, search } = request.nextUrl
  const other = withoutTrailingSlash(pathname) ?? movedPage(pathname)
  if (other !== undefined && (request.method === 'GET' || request.method === 'HEAD'))
    return NextResponse.redirect(new URL(other + search, request.nextUrl), 308)
  headersOf ??= pageHeaders(settingsOf(process.env))
  const answered = headersOf(pathname)
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
    rpcUrl:
      env.PUBLIC_RPC_URL ||
      (env.VERCEL === '1' ? undefined : env.CHAIN_RPC_URL?.split(',', 1)[0]?.trim()) ||
      undefined,
    uploadOrigin: /^\s*(true|1)\s*$/.test(env.UPLOADS_BY_ADDRESS ?? '')
      ? URL.parse(env.S3_ENDPOINT ?? '')?.origin
      : undefined,
    studioEndpoints: parseEndpoints(env.ASSISTANT_ENDPOINTS),
    inlineScripts: [themeScript],
    development: env.NODE_ENV === 'development',
  }
}
