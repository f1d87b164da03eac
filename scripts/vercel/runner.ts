/*
 * Runs the built site as a platform does, without an account there: `npm run vercel:dry-run`. Builds it as on the
 * platform, starts each function alone in a folder with exactly its files and no right to read anything else, and calls
 * functions of every kind, over a PostgreSQL, a chain and a worker of this run. `-- --built` reuses the last build.
 */
import { once } from 'node:events'
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '#lib/platform/db/migrate.ts'
import { publicPages } from '../browser/pages.ts'
import { publishExampleNetwork } from '../example-network/publish.ts'
import { publishSampleWorlds } from '../example-network/sample-worlds.ts'
import { startAnvil } from '../stack/anvil.ts'
import { killChildren, startChild } from '../stack/child.ts'
import { devAccount, findContracts } from '../stack/contracts.ts'
import { reachableDataDir } from '../stack/data-location.ts'
import { anyFreePort } from '../stack/ports.ts'
import { startPostgres } from '../stack/postgres.ts'
import { servicesClient } from '../world-kit/services-client.ts'
import { OUTPUTS_FILE, type Outputs } from './keep-outputs.ts'
import { startFunction } from './start-function.ts'

// Node sees no names in the one file it is bundled into.
const { resolveRoutes, responseToMiddlewareResult } = createRequire(import.meta.url)(
  '@next/routing',
) as typeof import('@next/routing')

/** Requests with more than this do not come through to a function. */
const MAX_BODY_BYTES = 4.5 * 1024 * 1024

const root = join(import.meta.dirname, '../..')
const isBuilt = process.argv.includes('--built')
const folder = mkdtempSync(join(tmpdir(), 'weft-platform-'))
/** Ends what was started, the last one first. */
const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
let failed = 0
let ending: Promise<void> | undefined

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(1))
process.on('exit', killChildren)
await run().catch((error: unknown) => {
  failed += 1
  console.error(error)
})
await end(failed === 0 ? 0 : 1)

/** Ends everything, once. */
function end(code: number): Promise<void> {
  ending ??= (async () => {
    for (const each of ends.splice(0).reverse()) await (async () => each())().catch(console.error)
    process.exit(code)
  })()
  return ending
}

async function run(): Promise<void> {
  if (!isBuilt) await build()
  const outputs = JSON.parse(readFileSync(join(root, '.next', OUTPUTS_FILE), 'utf8')) as Outputs
  const port = await anyFreePort()
  const origin = `http://localhost:${port}`
  const network = await startNetwork(origin)
  const started = await servePlatform(outputs, port, {
    NODE_ENV: 'production',
    VERCEL: '1',
    PUBLIC_RPC_URL: network.CHAIN_RPC_URL,
    TRUSTED_PROXIES: '1',
    SIMULATE_THREADS: '1',
    COMPILE_THREADS: '1',
    ...network,
  })
  const account = devAccount(0)
  const services = { api: `${origin}/services`, siteOrigin: origin, chainId: Number(network.CHAIN_ID) }
  const client = servicesClient(account, services)
  await check('publish the sample Worlds', () => publishSampleWorlds(account, client))
  await check('publish the example network', () =>
    publishExampleNetwork(`${origin}/chain`, account, {
      rpcUrl: network.CHAIN_RPC_URL,
      prepareBatch: client.prepareBatch,
    }),
  )
  await check('simulate and execute give the same', async () => {
    const body = JSON.stringify({ connector_name: 'weave', particles_count: 64 })
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    const simulated = await (await call(`${origin}/chain/simulate`, init)).json()
    const { particles } = await (await call(`${origin}/chain/execute`, init)).json()
    if (JSON.stringify(simulated) !== JSON.stringify(particles)) throw new Error('they differ')
  })
  const documents = ['/docs/concepts.md', '/status.json', '/services/js/sdk/world-runtime.js', '/metrics']
  const generated = [
    '/chain/openapi.json',
    '/services/openapi.json',
    '/llms-full.txt',
    '/feed.xml',
    '/sitemap.xml',
  ]
  const pages = (await publicPages(origin)).map(({ path }) => path)
  for (const path of [...pages, '/studio', '/run/weave/image?count=16', ...documents, ...generated]) {
    await check(path, () => call(origin + path))
  }
  await check('a page that does not exist is 404', () => call(`${origin}/nothing/of/the/kind`, {}, 404))
  await check('a body over the limit of the platform is 413', () =>
    call(`${origin}/services/worlds/upload`, { method: 'POST', body: new Uint8Array(5 * 1024 * 1024) }, 413),
  )
  console.log(`${started.size} functions were called; ${failed} checks failed.`)
}

async function check(title: string, act: () => Promise<unknown>): Promise<void> {
  const problem = await act().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  if (problem !== undefined) failed += 1
  console.log(problem === undefined ? `ok     ${title}` : `FAILS  ${title}: ${problem}`)
}

async function call(url: string, init: RequestInit = {}, expected = 200): Promise<Response> {
  const response = await fetch(url, init)
  if (response.status !== expected) throw new Error(`answered ${response.status}, expected ${expected}`)
  return response
}

async function build(): Promise<void> {
  await import('../generate.ts')
  const adapter = { VERCEL: '1', NEXT_ADAPTER_PATH: join(import.meta.dirname, 'keep-outputs.ts') }
  const env = { ...process.env, NODE_ENV: 'production' as const, NEXT_TELEMETRY_DISABLED: '1', ...adapter }
  const child = await startChild(process.execPath, ['node_modules/next/dist/bin/next', 'build'], {
    name: 'build',
    env,
  })
  if ((await child.exited).code !== 0) throw new Error(`The site could not be built:\n${child.tail()}`)
}

/** Starts what a site on a platform has elsewhere. @returns the settings that lead there. */
async function startNetwork(siteOrigin: string) {
  const database = await startPostgres({
    dataDir: reachableDataDir(join(folder, 'postgres')),
    port: await anyFreePort(),
    password: 'elsewhere',
    settings: ['fsync=off', 'max_connections=500'],
  })
  ends.push(() => database.stop())
  await migrate(database.url())
  const chain = await startAnvil({ port: await anyFreePort() })
  ends.push(() => chain.stop())
  const contracts = await findContracts(chain.url, { file: join(folder, 'contracts.json') })
  const settings = {
    SITE_ORIGIN: siteOrigin,
    DATABASE_URL: database.url(),
    CHAIN_RPC_URL: chain.url,
    CHAIN_ID: String(contracts.chainId),
    REGISTRY_ADDRESS: contracts.registry,
    RUNNER_ADDRESS: contracts.runner,
    DEPLOYMENT_BLOCK: String(contracts.deploymentBlock),
    CHAIN_TOKEN_KEY: 'ab'.repeat(32),
    SESSION_KEY: 'cd'.repeat(32),
  }
  const env = { PATH: process.env.PATH, NODE_ENV: 'production' as const, ...settings }
  const worker = await startChild(process.execPath, ['worker/main.ts'], { name: 'worker', env })
  ends.push(() => worker.stop('SIGTERM', 3000))
  return settings
}

/** Serves the build by functions, each started at its first request. @returns those that were started. */
async function servePlatform(outputs: Outputs, port: number, env: NodeJS.ProcessEnv) {
  const ports = new Map<string, Promise<number>>()
  const files = new Map(outputs.staticFiles.map(({ pathname, filePath }) => [pathname, filePath]))
  const pathnames = [...outputs.functions.map(({ pathname }) => pathname), ...files.keys()]
  const start = async (pathname: string): Promise<number> => {
    const { port, end } = await startFunction(outputs, pathname, mkdtempSync(join(folder, 'function-')), env)
    ends.push(end)
    return port
  }
  const portOf = (pathname: string): Promise<number> => {
    const started = ports.get(pathname) ?? start(pathname)
    ports.set(pathname, started)
    return started
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
      request.resume()
      response.writeHead(413).end('FUNCTION_PAYLOAD_TOO_LARGE')
      return
    }
    const url = new URL(request.url ?? '/', env.SITE_ORIGIN)
    let headers = new Headers()
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value))
    headers.set('x-forwarded-for', request.socket.remoteAddress ?? '')
    const {
      resolvedHeaders,
      redirect,
      resolvedPathname = '/_not-found',
      invocationTarget,
    } = await resolveRoutes({
      url,
      headers,
      requestBody: new ReadableStream(),
      buildId: outputs.buildId,
      basePath: '',
      pathnames,
      routes: outputs.routes,
      invokeMiddleware: async (context) => {
        const proxy = `http://127.0.0.1:${await portOf('/_middleware')}${url.pathname}${url.search}`
        const answered = await fetch(proxy, { headers: context.headers, redirect: 'manual' })
        const result = responseToMiddlewareResult(answered, new Headers(context.headers), url)
        headers = result.requestHeaders ?? headers
        return result
      },
    })
    for (const [name, value] of resolvedHeaders ?? []) response.appendHeader(name, value)
    if (redirect) {
      response.writeHead(redirect.status, { location: redirect.url.href }).end()
      return
    }
    const file = files.get(resolvedPathname)
    if (file !== undefined) {
      createReadStream(file).pipe(response)
      return
    }
    if (resolvedPathname === '/_not-found') response.statusCode = 404
    // Rewritten ones are called by the address they were led to.
    const rewritten = invocationTarget !== undefined && invocationTarget.pathname !== url.pathname
    const path = rewritten ? invocationTarget.pathname + url.search : (request.url ?? '/')
    const to = {
      host: '127.0.0.1',
      port: await portOf(resolvedPathname),
      path,
      method: request.method ?? 'GET',
    }
    const passed = forward({ ...to, headers: Object.fromEntries(headers) })
    request.pipe(passed)
    const [answered] = (await once(passed, 'response')) as [IncomingMessage]
    if (response.statusCode !== 404) response.statusCode = answered.statusCode ?? 502
    for (const [name, value = []] of Object.entries(answered.headersDistinct)) {
      if (!/^(?:connection|keep-alive|transfer-encoding)$/.test(name)) response.appendHeader(name, value)
    }
    answered.pipe(response)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error(error)
      if (!response.headersSent) response.writeHead(502)
      response.end()
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => server.close().closeAllConnections())
  return ports
}
