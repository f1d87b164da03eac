import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../../lib/db/migrate.ts'
import { startAnvil } from '../stack/anvil.ts'
import { startChild } from '../stack/child.ts'
import { findContracts } from '../stack/contracts.ts'
import { reachableDataDir } from '../stack/data-location.ts'
import { anyFreePort } from '../stack/ports.ts'
import { startPostgres } from '../stack/postgres.ts'

/** What a site on a platform has elsewhere: a database, a chain with the contracts, and the worker. */
export interface Network {
  /** Settings of the site that lead to it. */
  readonly settings: Readonly<Record<string, string>> & { readonly CHAIN_RPC_URL: string }
  readonly chainId: number
  /** Starts the worker of a site. */
  startWorker(siteOrigin: string): Promise<void>
  close(): Promise<void>
}

/** @throws Error when a part does not come up. */
export async function startNetwork(): Promise<Network> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-elsewhere-'))
  const ends: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true, force: true })]
  const close = async () => {
    for (const end of ends.splice(0).reverse()) await end()
  }
  try {
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
      DATABASE_URL: database.url(),
      CHAIN_RPC_URL: chain.url,
      CHAIN_ID: String(contracts.chainId),
      REGISTRY_ADDRESS: contracts.registry,
      RUNNER_ADDRESS: contracts.runner,
      DEPLOYMENT_BLOCK: String(contracts.deploymentBlock),
      CHAIN_TOKEN_KEY: 'ab'.repeat(32),
      SESSION_KEY: 'cd'.repeat(32),
    }
    return {
      settings,
      chainId: contracts.chainId,
      startWorker: async (siteOrigin) => {
        const worker = await startChild(process.execPath, ['worker/main.ts'], {
          name: 'worker',
          env: { PATH: process.env.PATH, NODE_ENV: 'production', SITE_ORIGIN: siteOrigin, ...settings },
        })
        ends.push(() => worker.stop('SIGTERM', 3000))
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
