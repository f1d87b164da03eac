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
import { type FeatureSettings, type ValuesOf, type Variable, valuesOf, variablesOf } from './setting.ts'
import { CHAIN_SETTINGS } from './settings-chain.ts'
import { LIMIT_SETTINGS } from './settings-limits.ts'
import { PROCESS_SETTINGS } from './settings-process.ts'
import { SITE_SETTINGS } from './settings-site.ts'

/*
 * The settings of Weft, read from the environment. Each is one row of a table, with its variable, check and default, in
 * a `settings-*.ts` file, or in the `settings.ts` of a feature; units are in the comments. `.env.example` and
 * `docs/site/self-hosting/configuration.md` list the same variables for operators.
 */

const SETTINGS = { ...PROCESS_SETTINGS, ...CHAIN_SETTINGS, ...SITE_SETTINGS, ...LIMIT_SETTINGS }

/** An S3-compatible bucket. */
export type BucketSettings = { readonly [Key in keyof typeof SETTINGS.bucket]: string }

/** Checked settings before the embedded stack supplies what is missing. */
export interface Settings extends Omit<ValuesOf<typeof SETTINGS>, 'bucket'> {
  /** Bucket for files of Worlds; undefined stores them in the database. */
  readonly blobBucket: BucketSettings | undefined
  /** Values of the settings of features, which `FeatureSettings` types. */
  readonly features: Readonly<Record<string, unknown>>
  /** Names of the variables that logs must not show. */
  readonly secrets: readonly string[]
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

/** Reader of the settings of the core and of features. */
export interface ConfigReader {
  /**
   * Returns the checked configuration of a process.
   *
   * @throws ConfigError naming each bad or missing variable and its fix.
   */
  readonly readConfig: (env: Environment) => Config
  /**
   * Returns the checked settings; what the embedded stack can supply may be absent.
   *
   * @throws ConfigError naming each bad variable and its fix.
   */
  readonly readSettings: (env: Environment) => Settings
  /** All environment variables that are read. */
  readonly variables: readonly Variable<unknown>[]
}

/** Returns the reader of the core's settings and of those of features. */
export function configReader(features: readonly FeatureSettings[]): ConfigReader {
  const variables = variablesOf({ ...SETTINGS, features: features.map(({ table }) => table) })
  const secrets = secretNames(variables)
  const parse = (env: Environment) => {
    const problems: string[] = []
    const { features: values, ...core } = parseCore(env, features, problems)
    return { settings: { ...core, features: values, secrets }, problems }
  }
  return {
    variables,
    readSettings: (env) => {
      const { settings, problems } = parse(env)
      if (problems.length > 0) throw new ConfigError(problems)
      return settings
    },
    readConfig: (env) => {
      const { settings, problems } = parse(env)
      problems.push(...missingVariables((name) => has(env, name)))
      if (problems.length > 0) throw new ConfigError(problems)
      const { chainPort: _chainPort, dataDir: _dataDir, exampleNetwork: _exampleNetwork, ...rest } = settings
      const port = settings.port ?? DEFAULT_PORT
      const siteOrigin = settings.siteOrigin ?? `http://localhost:${port}`
      const allowedOrigins = settings.allowedOrigins.length > 0 ? settings.allowedOrigins : [siteOrigin]
      // Without problems none of the required settings is undefined.
      return { ...rest, port, siteOrigin, allowedOrigins } as Config
    },
  }
}

/** Names of the variables that logs must not show. */
export function secretNames(variables: readonly Variable<unknown>[]): readonly string[] {
  return variables.filter(({ secret }) => secret).map(({ name }) => name)
}

/** Secrets of the core, for threads, which have no configuration. */
export const CORE_SECRETS: readonly string[] = secretNames(variablesOf(SETTINGS))

/** @returns settings that are only valid where it added no problems. */
function parseCore(
  env: Environment,
  features: readonly FeatureSettings[],
  problems: string[],
): Omit<Settings, 'secrets'> {
  const read = ({ name, check, takesEmpty }: Variable<unknown>) => {
    const { data, error } = check.safeParse(takesEmpty || has(env, name) ? env[name]?.trim() : undefined)
    problems.push(...(error?.issues ?? []).map(({ message }) => `${name} ${message}`))
    return data
  }
  const { bucket, ...rest } = valuesOf(SETTINGS, read)
  const own = features.map(({ feature, table }): [string, unknown] => [feature, valuesOf(table, read)])
  problems.push(...problemsOfGroups((name) => has(env, name)))
  problems.push(...problemsOfGone(env))
  problems.push(...problemsOfQuorum(rest.node.quorum, rest.workerRpcUrl ?? rest.chainRpcUrl))
  const hasBucket = BUCKET_VARIABLES.every((name) => has(env, name))
  if (rest.uploadsByAddress && !hasBucket) problems.push('UPLOADS_BY_ADDRESS needs a bucket: set S3_ENDPOINT')
  const blobBucket = hasBucket ? (bucket as BucketSettings) : undefined
  const { chainId } = rest
  const served = has(env, 'ALLOWED_CHAIN_IDS') || chainId === undefined ? [] : [chainId]
  const allowedChainIds = [...new Set([...(rest.allowedChainIds ?? []), ...served])]
  return { ...rest, allowedChainIds, blobBucket, features: Object.fromEntries(own) }
}
