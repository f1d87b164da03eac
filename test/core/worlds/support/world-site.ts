import type { Services } from '#lib/core/context/context.ts'
import { createDispatcher } from '#lib/server/http/dispatch.ts'
import { servicesErrors } from '#lib/server/http/errors.ts'
import { getSdkModule, getWorldAsset, headWorldAsset } from '#lib/server/operations/services/world-assets.ts'
import { type PageHeaders, pageHeaders } from '#lib/server/page-policy/page-headers.ts'
import { listen } from './listen.ts'

/** A site that serves Worlds as the program does, and pages of the test's making around them. */
export interface WorldSite {
  readonly port: number
  readonly origin: string
  /** Where Worlds come from, when that is not the site itself. */
  readonly assetOrigin: string
  close(): Promise<void>
}

export interface WorldSiteOptions {
  /** Serve Worlds from another origin: the other name of loopback. */
  readonly separate?: boolean
  /** Leave `Sec-Fetch-Dest` out of requests, as old browsers do. */
  readonly silent?: boolean
  /** Other origins whose pages may show Worlds. */
  readonly ancestors?: readonly string[]
  /** Called for every request. */
  readonly observe?: (request: Request) => void
}

/**
 * @param page What answers everything but the services API; pages get the headers of our own pages.
 */
export async function startWorldSite(
  services: Services,
  page: (request: Request) => Promise<Response>,
  { separate = false, silent = false, ancestors = [], observe }: WorldSiteOptions = {},
): Promise<WorldSite> {
  let port = 0
  const site = () => ({
    ...services,
    config: {
      ...services.config,
      siteOrigin: `http://localhost:${port}`,
      assetOrigin: separate ? `http://127.0.0.1:${port}` : undefined,
      allowedOrigins: [`http://localhost:${port}`],
      worldFrameAncestors: [...ancestors],
    },
  })
  const dispatch = createDispatcher([getWorldAsset, headWorldAsset, getSdkModule], {
    base: '/services',
    services: async () => site(),
    errors: servicesErrors,
    authenticate: () => Promise.reject(new Error('nothing here needs a session')),
  })
  const server = await listen(async (request) => {
    observe?.(request)
    if (new URL(request.url).pathname.startsWith('/services/')) {
      if (silent) request.headers.delete('sec-fetch-dest')
      return dispatch(request)
    }
    const settings = { ...site().config, rpcUrl: undefined, inlineScripts: [] }
    return underPolicy(await page(request), pageHeaders(settings)(new URL(request.url).pathname))
  })
  port = server.port
  const { siteOrigin, assetOrigin } = site().config
  return { port, origin: siteOrigin, assetOrigin: assetOrigin ?? siteOrigin, close: server.close }
}

/** An answer of a page function. */
export function html(text: string): Response {
  return new Response(text, { headers: { 'Content-Type': 'text/html; charset=utf-8' } })
}

/** With the headers of a page of ours; the scripts of the test's own page count as the site's. */
async function underPolicy(response: Response, headers: PageHeaders): Promise<Response> {
  const all = new Headers(response.headers)
  for (const [name, value] of Object.entries(headers)) all.set(name, value)
  const isPage = all.get('content-type')?.startsWith('text/html')
  const [, nonce] = /'nonce-([^']+)'/.exec(headers['Content-Security-Policy']) ?? []
  const body = isPage
    ? (await response.text()).replaceAll('<script', `<script nonce="${nonce}"`)
    : await response.arrayBuffer()
  return new Response(body, { status: response.status, headers: all })
}
