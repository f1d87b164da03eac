import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { answerHealth, type HealthSource } from '../lib/api/health/answer-health.ts'
import type { ChainAccess } from '../lib/chain/access.ts'
import type { Config } from '../lib/config.ts'
import { createDatabase } from '../lib/db/client.ts'
import type { RunningWorker } from '../lib/feed/worker.ts'
import type { Reading } from '../lib/metrics/reading.ts'

export interface WorkerPagesOptions {
  readonly config: Config
  readonly chain: ChainAccess | undefined
  readonly log: Logger
  /** The worker, once it runs. */
  readonly worker: () => RunningWorker | undefined
}

/** Few: they serve machines that ask every few seconds. */
const CONNECTIONS = 2
const RETRY_MS = 5_000
const ROLES = ['starting', 'writer', 'standby', 'stopped'] as const

/**
 * Serves `/healthz`, `/readyz`, `/metrics` and `/status.json` of the worker at WORKER_PORT; nothing without one. A
 * port that is taken is asked for again: following the chain matters more than being watched.
 *
 * @returns A function that stops serving and closes the connections.
 */
export const serveWorkerPages = ({
  config,
  chain,
  log,
  worker,
}: WorkerPagesOptions): (() => Promise<void>) => {
  const { workerPort: port, host } = config
  if (port === undefined) return async () => {}
  const db = createDatabase(config.databaseUrl, { max: CONNECTIONS })
  const source: HealthSource = {
    services: async () => ({ config, chain, db, log, clock: () => new Date() }),
    readMore: (reading) => readRole(reading, worker()),
  }
  const server = createServer((request, response) => {
    void serve(source, request, response).catch((error: unknown) => {
      log.error({ err: error }, 'worker page failed')
      response.destroy()
    })
  })
  let retry: NodeJS.Timeout | undefined
  const listen = () => server.listen(port, host)
  server.on('listening', () => log.info({ host, port }, 'worker pages are served'))
  server.on('error', (error) => {
    log.error(
      { err: error, host, port },
      'worker pages cannot be served: change WORKER_PORT, or free the port',
    )
    retry = setTimeout(listen, RETRY_MS)
  })
  listen()
  return async () => {
    clearTimeout(retry)
    await Promise.all([close(server), db.close()])
  }
}

const serve = async (
  source: HealthSource,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
  const { method = 'GET', headers } = request
  const answer = await answerHealth(path, { method, authorization: headers.authorization ?? null }, source)
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  response.end(Buffer.from(await answer.arrayBuffer()))
}

const readRole = (reading: Reading, worker: RunningWorker | undefined): void => {
  const role = worker?.status().role ?? 'starting'
  reading.gauge(
    'weft_worker_role',
    'The role of this worker: 1 for the one it has, 0 for the others',
    ROLES.map((each) => ({ labels: { role: each }, value: each === role ? 1 : 0 })),
  )
}

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
