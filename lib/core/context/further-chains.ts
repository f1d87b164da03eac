import { connectChain } from '#lib/chain/access.ts'
import { newestBlockReader } from '#lib/chain/newest-block.ts'
import type { SimulatorPool } from '#lib/compute/simulator/pool.ts'
import { createTailer } from '#lib/core/feed/tailer.ts'
import { type Config, ConfigError, type ConfigOfChain } from '#lib/platform/config.ts'
import { schemaOfUrl } from '#lib/platform/db/chain-schema.ts'
import { createDatabase, type Database } from '#lib/platform/db/client.ts'
import { pendingMigrations } from '#lib/platform/db/migrate.ts'
import { Failure } from '#lib/protocol/failure.ts'
import type { Chains, Services } from './context.ts'

/** What all chains of a process have in common. */
interface SharedByChains {
  /** Services of the default chain, which further ones share but for what is made below. */
  readonly own: () => Services
  readonly simulator: () => SimulatorPool
}

/** Serves further chains of the configuration; each is opened on first use. */
export function openFurtherChains(
  configs: readonly ConfigOfChain[],
  defaultId: number | undefined,
  shared: SharedByChains,
): Chains {
  const opened = new Map<number, Promise<Services>>()
  const idsOf = () => [defaultId, ...configs.map(({ chainId }) => chainId)].filter((id) => id !== undefined)
  return {
    get ids() {
      return idsOf()
    },
    async on(chainId) {
      if (chainId !== undefined && chainId === defaultId) return shared.own()
      const config = configs.find((each) => each.chainId === chainId)
      if (config === undefined || chainId === undefined) {
        const served = idsOf().join(', ') || 'not known by id'
        throw new Failure('not_found', `This site does not serve that chain; its chains are ${served}`)
      }
      const services = opened.get(chainId) ?? openChain(config, shared)
      opened.set(chainId, services)
      return services.catch((error: unknown) => {
        // Retried at the next request.
        if (opened.get(chainId) === services) opened.delete(chainId)
        throw error
      })
    },
    async opened() {
      const all = await Promise.all([...opened.values()].map((each) => each.catch(() => undefined)))
      return all.filter((each) => each !== undefined)
    },
  }
}

/**
 * Returns the configuration for one chain, for programs that work for a single one.
 *
 * @param id As the option `--chain` has it; undefined for the default chain.
 * @throws ConfigError when the configuration has no such chain.
 */
export function configOfChain(config: Config, id: string | undefined): Config {
  if (id === undefined || id === String(config.chainId)) return config
  const found = config.furtherChains.find(({ chainId }) => String(chainId) === id)
  if (found !== undefined) return found
  throw new ConfigError([`--chain is ${id}, which is neither CHAIN_ID nor one of CHAINS`])
}

async function openChain(config: ConfigOfChain, { own, simulator }: SharedByChains): Promise<Services> {
  const base = own()
  const db = createDatabase(config.databaseUrl)
  try {
    await requireSchema(db, config)
  } catch (error) {
    await db.close()
    throw error
  }
  const chain = await connectChain(config)
  const newestBlock = chain && newestBlockReader(chain)
  const log = base.log.child({ chain: config.chainId })
  return {
    ...base,
    config,
    db,
    chain,
    simulator: {
      ...base.simulator,
      simulate: (...args) =>
        simulator()
          .inBlocksOf(newestBlock)
          .simulate(...args),
      simulateJson: (request) => simulator().inBlocksOf(newestBlock).simulateJson(request),
    },
    explainer: {
      explain: (request) => simulator().inBlocksOf(newestBlock).explain(request),
      locate: (request) => simulator().inBlocksOf(newestBlock).locate(request),
      tryBody: (request) => simulator().inBlocksOf(newestBlock).tryBody(request),
    },
    tailer: createTailer({ databaseUrl: config.databaseUrl, log }),
    log,
  }
}

/** A statement that misses a table of the chain would find the default chain's: none is sent before all are there. */
async function requireSchema({ sql }: Database, { chainId, databaseUrl }: ConfigOfChain): Promise<void> {
  const schema = schemaOfUrl(databaseUrl)
  const pending = await pendingMigrations(sql, schema)
  if (pending.length > 0) {
    throw new Failure(
      'storage_unavailable',
      `The tables of chain ${chainId} are not there yet: its worker makes them, npm run worker -- --chain ${chainId}`,
      { retryAfterSeconds: 5 },
    )
  }
  const [row] = await sql<{ schema: string }[]>`select current_schema() as schema`
  if (row?.schema !== schema) {
    throw new Failure(
      'storage_unavailable',
      `The database ignores the search path of chain ${chainId}: a pooler in transaction mode cannot serve further chains`,
    )
  }
}
