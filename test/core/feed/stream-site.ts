import { createServer } from 'node:http'
import type { Services } from '#lib/core/context/context.ts'
import { closeServices, createServices } from '#lib/core/context/services.ts'
import { createTailer, type TailerOptions } from '#lib/core/feed/tailer.ts'
import type { Config } from '#lib/platform/config.ts'
import { createDispatcher } from '#lib/server/http/dispatch.ts'
import { chainErrors } from '#lib/server/http/errors.ts'
import { serveNode } from '#lib/server/http/node-adapter.ts'
import { getFeed } from '#lib/server/operations/chain/feed.ts'
import { getFeedStream } from '#lib/server/operations/chain/feed-stream.ts'
import { testConfig } from '#test/support/config.ts'
import { EventStreamReader, type StreamOptions } from '#test/support/event-stream.ts'
import { listen, stop } from '#test/support/listen.ts'

/** The feed's rows over HTTP, on a port of their own. */
export interface StreamSite {
  readonly services: Services
  readonly url: string
  /** @param query With or without what follows `?`. */
  open(query?: string, options?: StreamOptions): Promise<EventStreamReader>
  close(): Promise<void>
}

export interface StreamSiteOptions extends Partial<Omit<TailerOptions, 'log'>> {
  readonly config?: Partial<Config>
}

export async function startStreamSite(
  databaseUrl: string,
  { config, ...tailing }: StreamSiteOptions = {},
): Promise<StreamSite> {
  const own = await createServices(testConfig({ chainId: 31_337, ...config, databaseUrl }))
  const services: Services = { ...own, tailer: createTailer({ databaseUrl, log: own.log, ...tailing }) }
  const dispatch = createDispatcher([getFeed, getFeedStream], {
    base: '/chain',
    services: async () => services,
    errors: chainErrors,
    authenticate: () => Promise.reject(new Error('nothing here asks who calls')),
    validateResponses: true,
  })
  const server = createServer(serveNode(dispatch))
  const url = `http://127.0.0.1:${await listen(server)}/chain/feed/stream`
  return {
    services,
    url,
    open: (query = '', options) => EventStreamReader.open(`${url}${query && `?${query}`}`, options),
    close: async () => {
      await closeServices(services)
      await stop(server)
    },
  }
}
