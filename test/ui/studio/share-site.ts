import { readFile } from 'node:fs/promises'
import type { Config } from '#lib/platform/config.ts'
import { apiHandlers } from '#lib/server/operations/api-handlers.ts'
import { createSessionDispatcher } from '#lib/server/operations/session/dispatcher.ts'
import { answeredBy } from '#test/core/worlds/support/listen.ts'
import { startApi, type TestApi } from '#test/support/api.ts'
import { type ComponentSite, startComponentSite } from './component-site.ts'

const STUDIO: SharePages = { pages: { '/studio': 'share-page' }, config: {} }

/** Pages with the real APIs behind them, on a new database. */
export interface ShareSite extends ComponentSite {
  readonly api: TestApi
}

interface SharePages {
  readonly pages: Readonly<Record<string, string>>
  readonly config: Partial<Config>
  /** Answers that no API has, as JSON by path. */
  readonly json?: Readonly<Record<string, (api: TestApi) => Promise<unknown>>>
}

/** By default the studio's page. */
export async function startShareSite({ pages, config, json = {} }: SharePages = STUDIO): Promise<ShareSite> {
  const [api, styles] = await Promise.all([
    startApi('services', config),
    readFile('node_modules/@xyflow/react/dist/base.css', 'utf8'),
  ])
  const services = async () => api.services
  const apis = apiHandlers(services)
  const session = answeredBy(createSessionDispatcher({ services }))
  const site = await startComponentSite({
    pages,
    styles,
    workers: { '/engine/worker.ts': 'lib/studio/runs/engine/worker.ts' },
    async answer(path, request, response) {
      const own = json[path]
      if (own !== undefined) return response.end(JSON.stringify(await own(api)))
      if (path.startsWith('/session')) return session(request, response)
      if (path === '/worlds/gallery/plugins') {
        return response.setHeader('content-type', 'application/json').end('{"worlds":[]}')
      }
      const handler = apis(path)
      if (handler === undefined) return false
      handler(request, response)
    },
  })
  return {
    origin: site.origin,
    api,
    async close() {
      await site.close()
      await api.close()
    },
  }
}
