import { readdir } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { serveNode } from '#lib/server/http/node-adapter.ts'
import type { TestApi } from '#test/support/api.ts'
import { compileStyles } from '#test/support/compile-styles.ts'
import { onceARun } from '#test/support/kept.ts'
import { listen, stop } from '#test/support/listen.ts'
import { bundleModules, bundleScript } from './bundle.ts'

/** A server of components on pages of their own, as visitors get them: built for production, with the site's styles. */
export interface ComponentSite {
  readonly origin: string
  close(): Promise<void>
}

interface Parts {
  /** Modules below `test/ui/studio` that draw a page each, by the path of the page. */
  readonly pages: Readonly<Record<string, string>>
  /** Scripts of workers, by their path. */
  readonly workers?: Readonly<Record<string, string>>
  /** Style sheets beside the site's. */
  readonly styles?: string
  /** The studio's API behind them. */
  readonly api?: Pick<TestApi, 'dispatch'>
  /** Answers other requests; false for what it does not know. */
  readonly answer?: (
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
  ) => unknown | Promise<unknown>
}

export async function startComponentSite({
  pages,
  workers = {},
  styles = '',
  api,
  answer,
}: Parts): Promise<ComponentSite> {
  const modules = Object.values(pages).map((page) => `test/ui/studio/${page}.ts`)
  const [files, own, ...scripts] = await Promise.all([
    bundleModules(...modules),
    siteStyles(),
    ...Object.values(workers).map(bundleScript),
  ])
  for (const [index, path] of Object.keys(workers).entries()) files.set(path, scripts[index] ?? '')
  const studio = api && serveNode(api.dispatch)
  const server = createServer(async (request, response) => {
    const { pathname: path } = new URL(request.url ?? '/', 'http://localhost')
    const script = files.get(path)
    const page = pages[path]
    if (studio !== undefined && path.startsWith('/studio/api/')) await studio(request, response)
    else if (script !== undefined) response.setHeader('content-type', 'text/javascript').end(script)
    else if (page !== undefined) {
      const [name] = page.split('/').slice(-1)
      response
        .setHeader('content-type', 'text/html')
        .end(
          `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Components</title><link rel="icon" href="data:,"><style>${own}${styles}</style><div id="root"></div><script type="module" src="/${name}.js"></script></html>`,
        )
    } else if ((await answer?.(path, request, response)) === false || answer === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"Nothing here"}')
    }
  })
  return { origin: `http://127.0.0.1:${await listen(server)}`, close: () => stop(server) }
}

/** One style sheet for all tests of a run. */
function siteStyles(): Promise<string> {
  return onceARun('style sheet of components', async () => {
    const [components, features, pages] = await Promise.all(
      ['lib/ui', 'lib/features', 'test/ui/studio'].map((folder) => readdir(folder, { recursive: true })),
    )
    const sources = [
      ...(components ?? []).filter((path) => /\.tsx?$/.test(path)).map((path) => `lib/ui/${path}`),
      ...(features ?? []).filter((path) => /\.tsx$/.test(path)).map((path) => `lib/features/${path}`),
      ...(pages ?? []).filter((path) => path.endsWith('-page.ts')).map((path) => `test/ui/studio/${path}`),
    ]
    return compileStyles(sources.map((path) => new URL(`../../../${path}`, import.meta.url)))
  })
}
