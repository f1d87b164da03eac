import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createPublicClient, createWalletClient, http } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { migrate } from '#lib/platform/db/migrate.ts'
import { rpc, startAnvil } from '#scripts/stack/anvil.ts'
import { devChain } from '#scripts/stack/dev-chain.ts'
import { anyFreePort } from '#scripts/stack/ports.ts'
import { type PostgresServer, startPostgres } from '#scripts/stack/postgres.ts'

/** Name of the migrated database that every test database is a copy of. */
export const TEMPLATE_DATABASE = 'weft'

export interface SharedDatabase {
  /** URL of the maintenance database. */
  readonly admin: string
}

/** A chain with the contracts on it, as a file that a fresh anvil loads. */
export interface SharedChain {
  readonly stateFile: string
  readonly registry: `0x${string}`
  readonly runner: `0x${string}`
  readonly deploymentBlock: number
}

export interface SharedServices {
  database(): Promise<SharedDatabase>
  chain(): Promise<SharedChain>
  close(): Promise<void>
}

/** Services that one test run starts once, each part on first use. */
export function startSharedServices(folder: string): SharedServices {
  // PostgreSQL runs as another account when the tests run as root.
  chmodSync(folder, 0o755)
  let server: PostgresServer | undefined
  const database = once(async () => {
    server = await startPostgres({
      dataDir: join(folder, 'postgres'),
      port: await anyFreePort(),
      password: 'test',
      settings: ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'max_connections=300'],
    })
    await migrate(server.url(TEMPLATE_DATABASE))
    return { admin: server.url('postgres') }
  })
  const chain = once(() => deployOnce(join(folder, 'chain.json')))
  return {
    database,
    chain,
    close: async () => {
      await server?.stop()
    },
  }
}

async function deployOnce(stateFile: string): Promise<SharedChain> {
  // Loaded late: most test files need no contracts.
  const { deployContracts } = await import('#lib/chain/deploy.ts')
  const node = await startAnvil({ port: await anyFreePort() })
  try {
    const transport = http(node.url)
    const account = mnemonicToAccount('test test test test test test test test test test test junk', {
      addressIndex: 9,
    })
    const walletClient = createWalletClient({ chain: devChain, transport, account })
    const publicClient = createPublicClient({ chain: devChain, transport, pollingInterval: 20 })
    const contracts = await deployContracts({ walletClient, publicClient, account })
    const dump = (await rpc(node.url, 'anvil_dumpState')) as string
    writeFileSync(stateFile, gunzipSync(Buffer.from(dump.slice(2), 'hex')))
    return {
      stateFile,
      registry: contracts.registry,
      runner: contracts.runner,
      deploymentBlock: Number(contracts.blockNumber),
    }
  } finally {
    await node.stop()
  }
}

export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
