import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { z } from 'zod'
import { readSettings } from '#lib/features/config.ts'
import { createDatabase, type Database } from '#lib/platform/db/client.ts'
import { runCommand } from './command.ts'
import { contractsSchema } from './contracts-file.ts'
import { type DataFolder, loadSecrets, openDataFolder } from './data-folder.ts'
import { readJson } from './files.ts'
import { postgresUrl } from './postgres.ts'

const endpointsSchema = z.object({
  chainRpc: z.string(),
  chainId: z.number(),
  registry: z.string(),
  runner: z.string(),
})

/**
 * An environment, completed by that of an `npm start` that runs in this folder. For programs that use its database and
 * chain from outside.
 */
export function completeEnvironment(env: NodeJS.ProcessEnv): Record<string, string | undefined> {
  const ownVariables = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
  return { ...runningEnvironment(openDataFolder(ownVariables.WEFT_DATA_DIR ?? '.weft')), ...ownVariables }
}

type ParsedArguments<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: true }>
>

/**
 * Runs a program for an operator on the database of the environment, or of an `npm start` in this folder.
 *
 * @param usage The error for arguments that `options` do not describe.
 */
export function runOnDatabase<Options extends ParseArgsOptionsConfig>(
  usage: string,
  options: Options,
  work: (ctx: { db: Database; clock: () => Date }, args: ParsedArguments<Options>) => Promise<void>,
): Promise<void> {
  return runCommand(async () => {
    let args: ParsedArguments<Options>
    try {
      args = parseArgs({ options, allowPositionals: true })
    } catch {
      throw new Error(usage)
    }
    const { databaseUrl } = readSettings(completeEnvironment(process.env))
    if (!databaseUrl)
      throw new Error('Start the network with `npm start`, or set DATABASE_URL to its database.')
    const db = createDatabase(databaseUrl, { max: 1 })
    try {
      await work({ db, clock: () => new Date() }, args)
    } finally {
      await db.close()
    }
  })
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
