import { randomInt } from 'node:crypto'
import type { Settings } from '#lib/platform/config.ts'
import { DEFAULT_CHAIN_PORT, DEFAULT_PORT, DEFAULT_WORKER_PORT } from '#lib/platform/config.ts'
import { nodeUrls } from '#lib/platform/config-checks.ts'
import { migrate } from '#lib/platform/db/migrate.ts'
import { isDevChainId, isLoopback } from '#lib/protocol/dev-chain.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { EXAMPLES_AUTHOR, EXAMPLES_SHOWN_FIRST } from '../example-network/network.ts'
import { publishExampleNetwork } from '../example-network/publish.ts'
import { publishSampleWorlds } from '../example-network/sample-worlds.ts'
import { storeStills } from '../example-network/stills.ts'
import { servicesClient } from '../world-kit/services-client.ts'
import { openChainState, rpc, startAnvil } from './anvil.ts'
import { type Child, killChildren, startChild, whenReady } from './child.ts'
import { type Contracts, devAccount, devAccountKey, findContracts, SPONSOR_INDEX } from './contracts.ts'
import { type DataFolder, loadSecrets } from './data-folder.ts'
import { reachableDataDir } from './data-location.ts'
import { openLog } from './files.ts'
import { anyFreePort, isPortFree, nextFreePort } from './ports.ts'
import { startPostgres } from './postgres.ts'
import type { Progress } from './progress.ts'
import { forgetProjection, reconcile } from './projection.ts'
import { startRpcGuard } from './rpc-guard.ts'
import { buildSite, siteBuildTime } from './site-build.ts'
import { createSupervisor, type Part, type Supervisor } from './supervisor.ts'

export interface Endpoints {
  readonly site: string
  readonly chainApi: string
  readonly servicesApi: string
  /** Where the worker serves its own /healthz, /readyz and /metrics. */
  readonly worker: string
  readonly chainRpc: string
  readonly chainId: number
  readonly registry: Address
  readonly runner: Address
}

export interface StackOptions {
  readonly settings: Settings
  readonly folder: DataFolder
  readonly progress: Progress
  /** Serve the site from its sources and rebuild as they change. */
  readonly development: boolean
  readonly onGiveUp: (reason: string) => void
}

export interface Stack {
  /** Resolves when everything answers. */
  start(): Promise<Endpoints>
  /** Stops every part; safe at any moment, also while starting. */
  stop(): Promise<void>
}

interface Context extends StackOptions {
  readonly supervisor: Supervisor
  /** Runs when the stack stops, before the parts do. */
  readonly cleanups: (() => void)[]
  /** Runs whenever the built-in chain came back after a crash. */
  onChainBack: (rpcUrl: string) => Promise<void>
}

export function createStack(options: StackOptions): Stack {
  const context: Context = {
    ...options,
    supervisor: createSupervisor({ say: options.progress.note, onGiveUp: options.onGiveUp }),
    cleanups: [],
    onChainBack: async () => {},
  }
  return { start: () => start(context), stop: () => stop(context) }
}

interface Chain {
  readonly rpcUrl: string
  /** Where wallets, browsers and programs reach the built-in chain. */
  readonly guardUrl?: string
  readonly contracts: Contracts
}

async function start(context: Context): Promise<Endpoints> {
  const { settings, progress, folder } = context
  const secrets = loadSecrets(folder.secrets)
  const port = await choosePort('PORT', settings.port, DEFAULT_PORT, settings.host)
  const workerPort = await choosePort('WORKER_PORT', settings.workerPort, DEFAULT_WORKER_PORT, settings.host)
  const site = settings.siteOrigin ?? `http://localhost:${port}`
  const [databaseUrl, chain] = await Promise.all([
    startDatabase(context, secrets.databasePassword),
    startChain(context, siteOrigins(settings, site, port)),
    context.development ? Promise.resolve() : build(context),
  ])
  if (chain.contracts.deployed) await forgetProjection(databaseUrl)
  else if (!settings.chainRpcUrl) await reconcile(databaseUrl, chain.rpcUrl)
  context.onChainBack = async (rpcUrl) => {
    if (await reconcile(databaseUrl, rpcUrl)) await context.supervisor.restart('worker')
  }

  const hasExamples = settings.exampleNetwork && isDevChainId(chain.contracts.chainId)
  const local = `http://${reachableHost(settings.host)}:${port}`
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: context.development ? 'development' : 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    SITE_ORIGIN: site,
    HOST: settings.host,
    PORT: String(port),
    WORKER_PORT: String(workerPort),
    DATABASE_URL: databaseUrl,
    CHAIN_RPC_URL: chain.rpcUrl,
    ...(chain.guardUrl &&
      !settings.publicRpcUrl &&
      isLocalSite(site, settings) && { PUBLIC_RPC_URL: chain.guardUrl }),
    // The built-in chain announces its blocks at the same port.
    CHAIN_WS_URL: settings.chainWsUrl ?? (settings.chainRpcUrl ? '' : chain.rpcUrl.replace(/^http/, 'ws')),
    CHAIN_ID: String(chain.contracts.chainId),
    REGISTRY_ADDRESS: chain.contracts.registry,
    RUNNER_ADDRESS: chain.contracts.runner,
    DEPLOYMENT_BLOCK: String(chain.contracts.deploymentBlock),
    BUILD_TIMESTAMP: siteBuildTime(),
    CHAIN_TOKEN_KEY: process.env.CHAIN_TOKEN_KEY || secrets.chainTokenKey,
    SESSION_KEY: process.env.SESSION_KEY || secrets.sessionKey,
    ...(isDevChainId(chain.contracts.chainId) && devSponsor()),
    // A receiver that is being written runs beside the network.
    ...(isDevChainId(chain.contracts.chainId) &&
      isLocalSite(site, settings) &&
      !process.env.WEBHOOKS_ALLOW_LOOPBACK?.trim() && { WEBHOOKS_ALLOW_LOOPBACK: 'true' }),
    ...(hasExamples && !process.env.FEATURED?.trim() && { FEATURED: EXAMPLES_SHOWN_FIRST.join() }),
  }
  await Promise.all([
    progress.step('Starting the worker', () =>
      context.supervisor.run(
        'worker',
        () => node(context, 'worker', ['--max-semi-space-size=8', 'worker/main.ts'], environment),
        ['database'],
      ),
    ),
    progress.step('Starting the site', () => startSite(context, environment, port, `${local}/chain`)),
  ])
  if (hasExamples) {
    const client = servicesClient(devAccount(0), {
      api: `${local}/services`,
      siteOrigin: site,
      chainId: chain.contracts.chainId,
    })
    // The pieces of the network name the Worlds. A bucket that does not answer is no reason not to start.
    const bundles = await progress
      .step('Publishing the sample Worlds', async () => {
        await client.name(EXAMPLES_AUTHOR)
        return publishSampleWorlds(devAccount(0), client)
      })
      .catch((error: unknown) => {
        progress.note(`    ${error instanceof Error ? error.message : error}`)
        return undefined
      })
    await progress.step('Publishing the example network', (update) =>
      publishExampleNetwork(`${local}/chain`, devAccount(0), {
        rpcUrl: chain.rpcUrl,
        prepareBatch: client.prepareBatch,
        ...(bundles && { bundles }),
        onProgress: ({ done, total }) => update(`${done} of ${total}`),
      }),
    )
    await progress
      .step('Storing the stills of its pieces', () => storeStills(local, client))
      .catch((error: unknown) => progress.note(`    ${error instanceof Error ? error.message : error}`))
  }
  return {
    site,
    chainApi: `${site}/chain`,
    servicesApi: `${site}/services`,
    worker: `http://${reachableHost(settings.host)}:${workerPort}`,
    chainRpc: chain.guardUrl ?? chain.rpcUrl,
    chainId: chain.contracts.chainId,
    registry: chain.contracts.registry,
    runner: chain.contracts.runner,
  }
}

/** On a development chain the site pays for publications; an empty `SPONSOR_PRIVATE_KEY` switches it off. */
function devSponsor(): Record<string, string | undefined> {
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('SPONSOR_')))
  const budgets = { SPONSOR_PER_DAY: '1000', SPONSOR_PER_ACCOUNT: '100', SPONSOR_PER_CLIENT: '1000' }
  return { SPONSOR_PRIVATE_KEY: devAccountKey(SPONSOR_INDEX), ...budgets, ...own }
}

async function stop(context: Context): Promise<void> {
  for (const cleanup of context.cleanups) cleanup()
  // What uses the database and the chain goes first, so that nothing is cut off in the middle of a statement.
  await context.supervisor.stop('site', 'worker')
  await context.supervisor.stop('chain', 'database')
  killChildren()
}

async function startDatabase(context: Context, password: string): Promise<string> {
  const { settings, progress, folder, supervisor } = context
  let url = settings.databaseUrl
  if (!url) {
    const port = await anyFreePort()
    const log = openLog(folder.logs, 'database')
    await progress.step('Starting PostgreSQL', () =>
      supervisor.run('database', async () => {
        const dataDir = reachableDataDir(folder.postgres)
        const server = await startPostgres({ dataDir, port, password, onLine: log })
        url = server.url()
        return server
      }),
    )
  }
  const databaseUrl = url as string
  await progress.step('Migrating the database', () => migrate(databaseUrl))
  return databaseUrl
}

async function startChain(context: Context, origins: readonly string[]): Promise<Chain> {
  const { settings, progress, folder } = context
  const chain = settings.chainRpcUrl
    ? { rpcUrl: settings.chainRpcUrl }
    : await startDevChain(context, origins)
  const { rpcUrl } = chain
  const configured =
    settings.registryAddress && settings.runnerAddress
      ? {
          registry: settings.registryAddress,
          runner: settings.runnerAddress,
          deploymentBlock: settings.deploymentBlock ?? 0,
        }
      : undefined
  const contracts = await progress.step('Looking for the contracts', () =>
    findContracts(nodeUrls(rpcUrl)[0] as string, {
      file: folder.contracts,
      ...(configured && { configured }),
      ...(!settings.chainRpcUrl && { chainFolder: folder.chain }),
    }),
  )
  if (settings.chainId !== undefined && settings.chainId !== contracts.chainId) {
    throw new Error(
      `CHAIN_ID is ${settings.chainId}, but the chain at ${rpcUrl} has id ${contracts.chainId}.`,
    )
  }
  return { ...chain, contracts }
}

/** Starts a chain at an address that web pages cannot find, and in front of it a guard at the documented port. */
async function startDevChain(
  context: Context,
  origins: readonly string[],
): Promise<{ rpcUrl: string; guardUrl: string }> {
  const { settings, progress, folder, supervisor, cleanups } = context
  const guardPort = await choosePort('CHAIN_PORT', settings.chainPort, DEFAULT_CHAIN_PORT)
  const host = hiddenAddress()
  const port = await anyFreePort(host)
  const state = openChainState(folder.chain)
  const log = openLog(folder.logs, 'chain')
  let rpcUrl = ''
  await progress.step('Starting the development chain', () =>
    supervisor.run('chain', async () => {
      const loadState = state.load()
      const node = await startAnvil({
        host,
        port,
        onLine: log,
        ...(settings.chainId !== undefined && { chainId: settings.chainId }),
        ...(loadState !== undefined && { loadState }),
      })
      rpcUrl = node.url
      try {
        // Anvil drops the state of older blocks: `safe` and `finalized` must be blocks whose state it still has.
        if (loadState) await rpc(rpcUrl, 'anvil_mine', ['0x5'])
        await context.onChainBack(rpcUrl)
      } catch (error) {
        await node.stop()
        throw error
      }
      const unfollow = state.follow(rpcUrl)
      cleanups.push(unfollow)
      void node.child.exited.then(unfollow)
      return {
        child: node.child,
        stop: async () => {
          unfollow()
          await state.save(rpcUrl).catch(() => {})
          await node.stop()
        },
      }
    }),
  )
  const guard = await startRpcGuard({ port: guardPort, target: rpcUrl, origins })
  cleanups.push(() => void guard.close())
  return { rpcUrl, guardUrl: guard.url }
}

/**
 * A random address of this machine: pages can try every port of 127.0.0.1, but not of 16 million addresses. Systems
 * other than Linux have only the one unless configured.
 */
function hiddenAddress(): string {
  if (process.platform !== 'linux') return '127.0.0.1'
  return ['127', ...Array.from({ length: 3 }, () => randomInt(1, 255))].join('.')
}

/** Whether the site serves this machine only, by its address and by the interface it listens on. */
function isLocalSite(site: string, { host }: Settings): boolean {
  return isLoopback(new URL(site).hostname) && isLoopback(host)
}

/** Origins under which browsers reach the site. */
function siteOrigins(settings: Settings, site: string, port: number): readonly string[] {
  const others = ['localhost', '127.0.0.1', '[::1]'].map((name) => `http://${name}:${port}`)
  return [site, ...settings.allowedOrigins, ...(isLocalSite(site, settings) ? others : [])]
}

async function build({ progress, folder }: Context): Promise<void> {
  await progress.step('Building the site', () => buildSite(openLog(folder.logs, 'build')))
}

/**
 * For glibc's allocator: by default each thread has arenas of its own, and buffers of up to 32 MB come from them, so that
 * the site would keep a gigabyte after a burst of large responses. The scripts `site` and the Dockerfile set it, too.
 */
const RETURN_LARGE_BUFFERS = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' }

async function startSite(
  context: Context,
  environment: NodeJS.ProcessEnv,
  port: number,
  chainApi: string,
): Promise<void> {
  const program = context.development ? ['node_modules/next/dist/bin/next', 'dev'] : ['scripts/site.ts']
  const start = async () => {
    const part = await node(
      context,
      'site',
      [...program, ...['--port', String(port), '--hostname', context.settings.host]],
      { ...RETURN_LARGE_BUFFERS, ...environment },
    )
    try {
      await whenServing(part.child, `${chainApi}/version`)
    } catch (error) {
      await part.stop()
      throw error
    }
    return part
  }
  await context.supervisor.run('site', start, ['database'])
}

async function node(
  context: Context,
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Part> {
  const child = await startChild(process.execPath, args, {
    name,
    env,
    onLine: openLog(context.folder.logs, name),
  })
  // On SIGTERM Next waits for open event streams.
  return { child, stop: () => child.stop('SIGTERM', 1500) }
}

/** Lines that `scripts/site.ts` and `next dev` print when they listen. */
const LISTENING = /Serving on|Ready in/

function whenServing(child: Child, url: string): Promise<void> {
  const ready = { subject: 'The site', deadline: Date.now() + 180_000, intervalMs: 100 }
  return whenReady(child, ready, async () => {
    const response = await fetch(url, { signal: AbortSignal.timeout(20_000) })
    // Another program may have taken the port: ours prints that it listens.
    if (!response.ok || !LISTENING.test(child.tail())) throw new Error(`${url} answers ${response.status}`)
  })
}

/** Returns the host of our own URLs: a wildcard is no address, and IPv6 wants brackets in a URL. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

async function choosePort(
  variable: string,
  configured: number | undefined,
  first: number,
  host?: string,
): Promise<number> {
  if (configured === undefined) return nextFreePort(first, host)
  if (await isPortFree(configured, host)) return configured
  throw new Error(
    `${variable} ${configured} is in use by another program: stop that one, or set ${variable} to another port.`,
  )
}
