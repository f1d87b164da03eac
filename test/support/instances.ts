import { mkdtempSync, rmSync } from 'node:fs'
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '#lib/platform/db/migrate.ts'
import { startAnvil } from '#scripts/stack/anvil.ts'
import { type Child, startChild } from '#scripts/stack/child.ts'
import { findContracts } from '#scripts/stack/contracts.ts'
import { reachableDataDir } from '#scripts/stack/data-location.ts'
import { anyFreePort } from '#scripts/stack/ports.ts'
import { type PostgresServer, startPostgres } from '#scripts/stack/postgres.ts'
import { chainEnvironment } from './chain-config.ts'
import { listen } from './listen.ts'
import { until } from './until.ts'

/** Several sites and workers of the built program over one database and one chain, behind a proxy. */
export interface Instances {
  readonly proxy: RoundRobin
  /** Addresses of the sites themselves. */
  readonly sites: readonly string[]
  readonly workers: readonly Child[]
  /** Output of the processes. */
  output(): string
  close(): Promise<void>
}

/** A database below a folder. */
export async function startOwnPostgres(folder: string): Promise<PostgresServer> {
  const dataDir = reachableDataDir(join(folder, 'postgres'))
  return startPostgres({ dataDir, port: await anyFreePort(), password: 'own', settings: ['fsync=off'] })
}

/** @param env On top of a production environment that trusts the one proxy. */
export async function startInstances(env: Readonly<Record<string, string>>): Promise<Instances> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-instances-'))
  const closing: (() => Promise<unknown>)[] = [async () => rmSync(folder, { recursive: true, force: true })]
  const close = async () => {
    for (const end of closing.splice(0).toReversed()) await end()
  }
  try {
    const [database, chain, proxy] = await Promise.all([
      startOwnPostgres(folder),
      startAnvil({ port: await anyFreePort() }),
      startRoundRobin(),
    ])
    closing.push(
      () => database.stop(),
      () => chain.stop(),
      () => proxy.close(),
    )
    await migrate(database.url())
    const contracts = await findContracts(chain.url, { file: join(folder, 'contracts.json') })
    const shared: NodeJS.ProcessEnv = {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      NODE_ENV: 'production',
      SITE_ORIGIN: proxy.origin,
      ...chainEnvironment({ ...contracts, url: chain.url }, database.url()),
      TRUSTED_PROXIES: '1',
      // A machine busy with other tests takes its time over a harmless body.
      COMPILE_TIMEOUT_MS: '30000',
      ...env,
    }
    let output = ''
    const start = async (name: string, file: string, own: Readonly<Record<string, string>>) => {
      const onLine = (line: string) => {
        output += `${name}: ${line}\n`
      }
      const child = await startChild(process.execPath, [file], { name, onLine, env: { ...shared, ...own } })
      closing.push(() => child.stop())
      return child
    }
    const ports = await Promise.all([1, 2, 3, 4].map(() => anyFreePort()))
    const [siteA, siteB, ...workerPorts] = ports.map(String) as [string, string, string, string]
    const [, , ...workers] = await Promise.all([
      start('site 0', 'scripts/site.ts', { PORT: siteA }),
      start('site 1', 'scripts/site.ts', { PORT: siteB }),
      ...workerPorts.map((port, index) => start(`worker ${index}`, 'worker/main.ts', { WORKER_PORT: port })),
    ])
    const sites = [siteA, siteB].map((port) => `http://127.0.0.1:${port}`)
    const workerPages = workerPorts.map((port) => `http://127.0.0.1:${port}`)
    for (const address of [...sites, ...workerPages]) {
      await until(`${address} is ready:\n${output}`, () => isReady(address), 180_000)
    }
    proxy.leadTo(sites)
    return { proxy, sites, workers, output: () => output, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function isReady(address: string): Promise<boolean> {
  return fetch(`${address}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** A round-robin proxy over several sites. */
interface RoundRobin {
  readonly origin: string
  /** Requests per site, in the order of the sites. */
  readonly given: readonly number[]
  /** Known only once they listen, and they want to know the proxy's address. */
  leadTo(sites: readonly string[]): void
  close(): Promise<void>
}

/** Names the site that answered, by its place. */
export const SERVED_BY = 'x-served-by'

async function startRoundRobin(): Promise<RoundRobin> {
  let sites: readonly string[] = []
  const given: number[] = []
  let turn = 0

  const pass = (request: IncomingMessage, response: ServerResponse): void => {
    const place = turn++ % sites.length
    given[place] = (given[place] ?? 0) + 1
    const earlier = request.headers['x-forwarded-for']
    const peer = request.socket.remoteAddress ?? ''
    const onward = ask(
      new URL(request.url ?? '/', sites[place]),
      {
        method: request.method ?? 'GET',
        // The client's own header is passed on, as by most proxies.
        headers: { ...request.headers, 'x-forwarded-for': earlier ? `${earlier}, ${peer}` : peer },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, { ...answer.headers, [SERVED_BY]: String(place) })
        response.flushHeaders()
        answer.pipe(response)
        answer.once('error', () => response.destroy())
      },
    )
    onward.once('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
    response.once('close', () => onward.destroy())
    request.pipe(onward)
  }

  const server = createServer(pass)
  const port = await listen(server)
  return {
    origin: `http://localhost:${port}`,
    given,
    leadTo: (next) => {
      sites = next
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
