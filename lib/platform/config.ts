import {
  BUCKET_VARIABLES,
  ConfigError,
  type Environment,
  has,
  missingVariables,
  problemsOfGroups,
  problemsOfQuorum,
} from './config-checks.ts'
import { problemsOfGone } from './gone-settings.ts'
import { type ValuesOf, type Variable, valuesOf, variablesOf } from './setting.ts'
import { CHAIN_SETTINGS } from './settings-chain.ts'
import { LIMIT_SETTINGS } from './settings-limits.ts'
import { PROCESS_SETTINGS } from './settings-process.ts'
import { SITE_SETTINGS } from './settings-site.ts'

/*
 * The settings of Weft, read from the environment. Each is one row of a table, with its variable, check and default, in
 * a `settings-*.ts` file; units are in the comments. `.env.example` and `docs/site/self-hosting/configuration.md` list
 * the same variables for operators.
 */

const SETTINGS = { ...PROCESS_SETTINGS, ...CHAIN_SETTINGS, ...SITE_SETTINGS, ...LIMIT_SETTINGS }

/** An S3-compatible bucket. */
export type BucketSettings = { readonly [Key in keyof typeof SETTINGS.bucket]: string }

/** Checked settings before the embedded stack supplies what is missing. */
export interface Settings extends Omit<ValuesOf<typeof SETTINGS>, 'bucket'> {
  /** Bucket for files of Worlds; undefined stores them in the database. */
  readonly blobBucket: BucketSettings | undefined
}

/** Settings that the embedded stack can supply. */
type Supplied = 'siteOrigin' | 'port' | 'databaseUrl' | 'chainTokenKey' | 'sessionKey'

/** Checked configuration of a process. */
export type Config = Omit<Settings, Supplied | 'chainPort' | 'dataDir' | 'exampleNetwork'> & {
  readonly [Key in Supplied]: NonNullable<Settings[Key]>
}

/** Limits of one worker pool. */
export type PoolLimits = Config['compile']

/** Port of the site without `PORT`. */
export const DEFAULT_PORT = 3000
/** Port of the embedded chain without `CHAIN_PORT`. */
export const DEFAULT_CHAIN_PORT = 8545
/** Port of the worker's pages that `npm start` sets without `WORKER_PORT`. */
export const DEFAULT_WORKER_PORT = 9464

export { ConfigError, type Environment }

/**
 * Returns the checked configuration of a process.
 *
 * @throws ConfigError naming each bad or missing variable and its fix.
 */
export function readConfig(env: Environment): Config {
  const { settings, problems } = parse(env)
  problems.push(...missingVariables((name) => has(env, name)))
  if (problems.length > 0) throw new ConfigError(problems)
  const { chainPort: _chainPort, dataDir: _dataDir, exampleNetwork: _exampleNetwork, ...rest } = settings
  const port = settings.port ?? DEFAULT_PORT
  const siteOrigin = settings.siteOrigin ?? `http://localhost:${port}`
  const allowedOrigins = settings.allowedOrigins.length > 0 ? settings.allowedOrigins : [siteOrigin]
  // Without problems none of the required settings is undefined.
  return { ...rest, port, siteOrigin, allowedOrigins } as Config
}

/**
 * Returns the checked settings; what the embedded stack can supply may be absent.
 *
 * @throws ConfigError naming each bad variable and its fix.
 */
export function readSettings(env: Environment): Settings {
  const { settings, problems } = parse(env)
  if (problems.length > 0) throw new ConfigError(problems)
  return settings
}

/** All environment variables that are read. */
export const VARIABLES: readonly Variable<unknown>[] = variablesOf(SETTINGS)

export const VARIABLE_NAMES: readonly string[] = VARIABLES.map(({ name }) => name)

/** @returns settings that are only valid without problems. */
function parse(env: Environment): { settings: Settings; problems: string[] } {
  const problems: string[] = []
  const { bucket, ...rest } = valuesOf(SETTINGS, ({ name, check }) => {
    // Empty counts as unset, as `.env` files and container tools write it.
    const { data, error } = check.safeParse(has(env, name) ? env[name]?.trim() : undefined)
    problems.push(...(error?.issues ?? []).map(({ message }) => `${name} ${message}`))
    return data
  })
  problems.push(...problemsOfGroups((name) => has(env, name)))
  problems.push(...problemsOfGone(env))
  problems.push(...problemsOfQuorum(rest.node.quorum, rest.workerRpcUrl ?? rest.chainRpcUrl))
  const hasBucket = BUCKET_VARIABLES.every((name) => has(env, name))
  if (rest.uploadsByAddress && !hasBucket) problems.push('UPLOADS_BY_ADDRESS needs a bucket: set S3_ENDPOINT')
  const blobBucket = hasBucket ? (bucket as BucketSettings) : undefined
  const { chainId } = rest
  const served = has(env, 'ALLOWED_CHAIN_IDS') || chainId === undefined ? [] : [chainId]
  const allowedChainIds = [...new Set([...(rest.allowedChainIds ?? []), ...served])]
  return { settings: { ...rest, allowedChainIds, blobBucket }, problems }
}
