import { createServer, type Server } from 'node:http'
import type { Logger } from 'pino'
import type { ChainAccess } from '#lib/chain/access.ts'
import type { RunningIndexer } from '#lib/core/indexer/indexer.ts'
import type { Config } from '#lib/platform/config.ts'
import { createDatabase } from '#lib/platform/db/client.ts'
import { serveNode } from '#lib/server/http/node-adapter.ts'
import type { Reading } from '#lib/server/metrics/reading.ts'
import { createHealthDispatcher, type HealthSource } from '#lib/server/operations/health/probes.ts'

export interface HealthServerOptions {
  readonly config: Config
  readonly chain: ChainAccess | undefined
  readonly log: Logger
  /** Undefined until it runs. */
  readonly indexer: () => RunningIndexer | undefined
}

/** Database connections: monitors poll every few seconds only. */
const CONNECTIONS = 2
const RETRY_MS = 5_000
const ROLES = ['starting', 'writer', 'standby', 'stopped'] as const

/**
 * Serves `/healthz`, `/readyz`, `/metrics` and `/status.json` of the worker at WORKER_PORT, if set. Retries while the
 * port is in use, without stopping the worker.
 *
 * @returns a function that closes the server and its connections.
 */
export function serveHealth({ config, chain, log, indexer }: HealthServerOptions): () => Promise<void> {
  const { workerPort: port, host } = config
  if (port === undefined) return async () => {}
  const db = createDatabase(config.databaseUrl, { max: CONNECTIONS })
  const source: HealthSource = {
    services: async () => ({ config, chain, db, log, clock: () => new Date() }),
    readMore: (reading) => readRole(reading, indexer()),
  }
  const serve = serveNode(createHealthDispatcher(source))
  const server = createServer((request, response) => {
    void serve(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'Failed to serve a health page')
      response.destroy()
    })
  })
  let retry: NodeJS.Timeout | undefined
  const listen = () => server.listen(port, host)
  server.on('listening', () => log.info({ host, port }, 'Serving health pages'))
  server.on('error', (error) => {
    log.error(
      { err: error, host, port },
      'Failed to serve health pages: change WORKER_PORT, or free the port',
    )
    retry = setTimeout(listen, RETRY_MS)
  })
  listen()
  return async () => {
    clearTimeout(retry)
    await Promise.all([close(server), db.close()])
  }
}

function readRole(reading: Reading, indexer: RunningIndexer | undefined): void {
  const role = indexer?.status().role ?? 'starting'
  reading.gauge(
    'weft_worker_role',
    'The role of this worker: 1 for the one it has, 0 for the others',
    ROLES.map((each) => ({ labels: { role: each }, value: each === role ? 1 : 0 })),
  )
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
