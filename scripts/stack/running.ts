import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readJson } from './files.ts'
import { type DataFolder, openDataFolder } from './folder.ts'
import { postgresUrl } from './postgres.ts'
import { loadSecrets } from './secrets.ts'

const endpointsSchema = z.object({
  chainRpc: z.string(),
  chainId: z.number(),
  registry: z.string(),
  runner: z.string(),
})
const contractsSchema = z.object({ deploymentBlock: z.number() })

/**
 * An environment, completed by what an `npm start` that runs in this folder was started with. For programs that look
 * at its database and chain from beside.
 */
export function completeEnvironment(env: NodeJS.ProcessEnv): Record<string, string | undefined> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
  return { ...runningEnvironment(openDataFolder(given.WEFT_DATA_DIR ?? '.weft')), ...given }
}

/**
 * The variables under which the parts of a running `npm start` were started.
 * @returns undefined when nothing runs over this folder.
 */
function runningEnvironment(folder: DataFolder): Record<string, string> | undefined {
  const endpoints = endpointsSchema.safeParse(readJson(folder.endpoints)).data
  if (!endpoints) return undefined
  const { databasePassword, chainTokenKey, sessionKey } = loadSecrets(folder.secrets)
  const port = postmasterPort(folder.postgres)
  const contracts = contractsSchema.safeParse(readJson(folder.contracts)).data
  return {
    ...(port !== undefined && { DATABASE_URL: postgresUrl({ port, password: databasePassword }) }),
    CHAIN_TOKEN_KEY: chainTokenKey,
    SESSION_KEY: sessionKey,
    CHAIN_RPC_URL: endpoints.chainRpc,
    CHAIN_ID: String(endpoints.chainId),
    REGISTRY_ADDRESS: endpoints.registry,
    RUNNER_ADDRESS: endpoints.runner,
    ...(contracts && { DEPLOYMENT_BLOCK: String(contracts.deploymentBlock) }),
  }
}

/** The fourth line of PostgreSQL's own file. */
function postmasterPort(dataDir: string): number | undefined {
  try {
    const port = Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[3])
    return Number.isInteger(port) && port > 0 ? port : undefined
  } catch {
    return undefined
  }
}
