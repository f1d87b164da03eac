import { type ChildProcess, spawn } from 'node:child_process'
import type { Network } from '../publication/network.ts'

/** The worker as in production: a separate process, following the network's chain into its database. */
export function spawnWorker(
  { chain, api }: Network,
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  return spawn(process.execPath, ['worker/main.ts'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      DATABASE_URL: api.db.url,
      CHAIN_TOKEN_KEY: 'ab'.repeat(32),
      SESSION_KEY: 'cd'.repeat(32),
      CHAIN_RPC_URL: chain.url,
      CHAIN_ID: String(chain.chainId),
      REGISTRY_ADDRESS: chain.registry,
      RUNNER_ADDRESS: chain.runner,
      DEPLOYMENT_BLOCK: String(chain.deploymentBlock),
      LOG_LEVEL: 'silent',
      WORKER_POLL_MS: '25',
      ...env,
    },
  })
}
