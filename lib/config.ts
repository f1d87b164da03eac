import { z } from 'zod'
import { parseAddress } from './domain/address.ts'
import type { Address } from './domain/entity.ts'
import type { Limits } from './limits/limit-class.ts'
import type { TraceSettings } from './telemetry/settings.ts'

/** Limits of one worker pool. */
export interface PoolLimits {
  /** Milliseconds one piece of work may take. */
  readonly timeoutMs: number
  /** Pieces of work that may wait; more are refused as overloaded. */
  readonly maxQueue: number
  readonly threads: number
}

/** An S3-compatible bucket, addressed by path: `<endpoint>/<bucket>/<prefix><hash>`. */
export interface BucketSettings {
  /** Scheme, host and port. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  /** What keys begin with, so that a bucket can be shared. */
  readonly prefix: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export interface WorkerSettings {
  /** Milliseconds between looks at the chain's head; unset, 250 on development chains and 1000 elsewhere. */
  readonly pollMs: number | undefined
  /** Blocks behind the head that count as safe and as finalized where the node has no such tags. */
  readonly safeDepth: number
  readonly finalizedDepth: number
  /** Days that deltas stay available to readers of the stream. */
  readonly outboxRetentionDays: number
  /** Seconds the oldest unread block may wait before the feed counts as lagging. */
  readonly lagLimitSeconds: number
}

/** Everything that can be configured, validated. Read once a process. */
export interface Config {
  /** Scheme, host and port of the site as people type it, without a slash at the end. */
  readonly siteOrigin: string
  /** Origin that Worlds are loaded from; the site's own when absent. It must lead to this same site. */
  readonly assetOrigin: string | undefined
  /** Interface the site listens on. */
  readonly host: string
  readonly port: number
  readonly databaseUrl: string
  /** Absent when no chain is configured; what needs one then answers 503. */
  readonly chainRpcUrl: string | undefined
  /** Announces new blocks at once; without it the worker only polls. */
  readonly chainWsUrl: string | undefined
  /** When set, the chain must have this id. */
  readonly chainId: number | undefined
  /** What people call the chain; known for some ids. */
  readonly chainName: string | undefined
  /** Where browsers and their wallets reach the chain; nobody else's secret may be part of it. */
  readonly publicRpcUrl: string | undefined
  /** Block explorer, without a slash at the end; known for some ids. */
  readonly explorerUrl: string | undefined
  /** Offers WalletConnect beside the wallets of the browser. */
  readonly walletConnectProjectId: string | undefined
  readonly registryAddress: Address | undefined
  readonly runnerAddress: Address | undefined
  /** First block that can hold a registry event. */
  readonly deploymentBlock: number | undefined
  readonly executeBlockTag: 'latest' | 'safe' | 'finalized'
  readonly publicationEnabled: boolean
  /** Whether the feed page may mine and reorganise a development chain on this machine. */
  readonly devPanel: boolean
  /** Secret that signs the access tokens of the chain API, at least 32 bytes. */
  readonly chainTokenKey: Uint8Array
  /** Secret that seals the session cookie of the site, at least 32 bytes. */
  readonly sessionKey: Uint8Array
  readonly compile: PoolLimits
  readonly simulate: PoolLimits & {
    /** Steps of transformations, and of loops inside them, that one run may make. */
    readonly stepLimit: number
    /** Gas for what a run leaves to the exact engine, and for explaining runs. */
    readonly gasLimit: bigint
  }
  /** Checking an uploaded bundle. */
  readonly bundleCheck: PoolLimits
  /** Where files of Worlds are kept; absent, they are kept in the database. */
  readonly blobBucket: BucketSettings | undefined
  readonly execute: { readonly gasLimit: bigint | undefined; readonly timeoutMs: number }
  readonly worker: WorkerSettings
  /** Port of the worker's health and metrics pages; without it the worker serves none. */
  readonly workerPort: number | undefined
  /** Seconds the projection may be behind the chain before `/readyz` answers 503. */
  readonly readyLagLimitSeconds: number
  readonly maxDraftsPerOwner: number
  readonly maxWorldsPerOwner: number
  /** Open streams of the feed, in one process at most. */
  readonly streams: {
    readonly maxReaders: number
    /** From one client address. */
    readonly maxOfClient: number
  }
  /** Bytes of the particles of one run, as JSON. */
  readonly maxAnswerBytes: number
  /** Requests that one process works on at a time; more are told to come again. */
  readonly maxInWork: number
  /** Proxies of ours that a request passes before it comes here. */
  readonly trustedProxies: number
  readonly limits: Limits
  readonly logLevel: LogLevel
  /** Asked of those who read `/metrics`; without one everybody may. */
  readonly metricsToken: string | undefined
  /** Where traces go; without an endpoint nothing of them is loaded. */
  readonly traces: Omit<TraceSettings, 'service'>
  readonly adminAddresses: readonly Address[]
  /** Origins that may use session endpoints. */
  readonly allowedOrigins: readonly string[]
  /** Chain ids that sign-in messages may name. */
  readonly allowedChainIds: readonly number[]
}

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'

/** What the environment says, before the embedded parts fill the gaps. */
export interface Settings
  extends Omit<Config, 'databaseUrl' | 'chainTokenKey' | 'sessionKey' | 'port' | 'siteOrigin'> {
  readonly databaseUrl: string | undefined
  readonly chainTokenKey: Uint8Array | undefined
  readonly sessionKey: Uint8Array | undefined
  readonly port: number | undefined
  readonly siteOrigin: string | undefined
  /** Folder of the built-in database and chain. */
  readonly dataDir: string
  /** Port of the embedded chain. */
  readonly chainPort: number | undefined
  /** Publish the example network at start. */
  readonly exampleNetwork: boolean
}

export type Environment = Readonly<Record<string, string | undefined>>

export const DEFAULT_PORT = 3000
export const DEFAULT_CHAIN_PORT = 8545
export const DEFAULT_WORKER_PORT = 9464
const MIN_KEY_BYTES = 32

/** Lists every bad variable with its fix, so that one edit is enough. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

/** @throws ConfigError naming each bad or missing variable and its fix. */
export function readConfig(env: Environment): Config {
  const { settings, problems } = parse(env)
  if (!has(env, 'DATABASE_URL')) {
    problems.push(
      'DATABASE_URL is missing: set it to postgres://user:password@host:5432/name, or use `npm start`',
    )
  }
  for (const key of ['CHAIN_TOKEN_KEY', 'SESSION_KEY']) {
    if (has(env, key)) continue
    problems.push(`${key} is missing: set it to the output of \`openssl rand -hex 32\`, or use \`npm start\``)
  }
  if (!settings || problems.length > 0) throw new ConfigError(problems)
  const { chainPort: _chainPort, dataDir: _dataDir, exampleNetwork: _exampleNetwork, ...rest } = settings
  const port = settings.port ?? DEFAULT_PORT
  const siteOrigin = settings.siteOrigin ?? `http://localhost:${port}`
  return {
    ...rest,
    port,
    siteOrigin,
    allowedOrigins: settings.allowedOrigins.length > 0 ? settings.allowedOrigins : [siteOrigin],
    databaseUrl: settings.databaseUrl as string,
    chainTokenKey: settings.chainTokenKey as Uint8Array,
    sessionKey: settings.sessionKey as Uint8Array,
  }
}

/**
 * The same checks as `readConfig`, but what the embedded stack can supply may be absent.
 * @throws ConfigError
 */
export function readSettings(env: Environment): Settings {
  const { settings, problems } = parse(env)
  if (!settings || problems.length > 0) throw new ConfigError(problems)
  return settings
}

function has(env: Environment, name: string): boolean {
  return (env[name] ?? '').trim() !== ''
}

function integer(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((n) => n >= min && n <= max, `must be a whole number from ${min} to ${max}`)
}

const milliseconds = integer(10, 3_600_000)
const threads = integer(1, 256)
const queue = integer(0, 100_000)
/** Requests a minute; 0 for as many as they like. */
const rate = integer(0, 1_000_000)
const gas = z
  .string()
  .regex(/^[1-9]\d{0,17}$/, 'must be a positive whole number of gas units')
  .transform(BigInt)

const fraction = z
  .string()
  .regex(/^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/, 'must be a number from 0 to 1')
  .transform(Number)

/** `name=value,name=value`, values percent-encoded, as OpenTelemetry's own variable has it. */
const headerList = z.string().transform((value, ctx) => {
  const pairs = value.split(',').map((pair) => /^\s*([\w-]+)\s*=\s*([\x21-\x7e]*)\s*$/.exec(pair))
  try {
    if (pairs.every((pair) => pair !== null)) {
      return Object.fromEntries(
        pairs.map(([, name = '', encoded = '']) => [name, decodeURIComponent(encoded)]),
      )
    }
  } catch {
    // Said below.
  }
  ctx.addIssue({ code: 'custom', message: 'must be headers like name=value,other=value, percent-encoded' })
  return z.NEVER
})

const flag = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((value) => value === 'true' || value === '1')

const address = z.string().transform((value, ctx) => {
  const parsed = parseAddress(value)
  if (parsed) return parsed
  ctx.addIssue({ code: 'custom', message: 'must be an address: 0x and 40 hex digits' })
  return z.NEVER
})

const url = (schemes: readonly string[], example: string) =>
  z.string().refine((value) => {
    const parsed = URL.parse(value)
    return parsed !== null && schemes.includes(parsed.protocol)
  }, `must be a URL like ${example}`)

const origin = z.string().transform((value, ctx) => {
  const parsed = URL.parse(value)
  const plain =
    parsed?.pathname === '/' && parsed.search === '' && parsed.hash === '' && parsed.username === ''
  if (parsed && plain && (parsed.protocol === 'http:' || parsed.protocol === 'https:')) return parsed.origin
  ctx.addIssue({ code: 'custom', message: 'must be an origin like https://weft.example, without a path' })
  return z.NEVER
})

const list = <Output>(item: z.ZodType<Output, string>) =>
  z
    .string()
    .transform((value) =>
      value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .pipe(z.array(item))

const secret = z.string().transform((value, ctx) => {
  const bytes = /^(?:[0-9a-fA-F]{2})+$/.test(value)
    ? Buffer.from(value, 'hex')
    : /^[A-Za-z0-9+/_-]+={0,2}$/.test(value)
      ? Buffer.from(value, 'base64')
      : undefined
  if (bytes && bytes.length >= MIN_KEY_BYTES) return new Uint8Array(bytes)
  ctx.addIssue({
    code: 'custom',
    message: `must be at least ${MIN_KEY_BYTES} bytes as hex or base64: take the output of \`openssl rand -hex 32\``,
  })
  return z.NEVER
})

const variables = z.object({
  SITE_ORIGIN: origin.optional(),
  ASSET_ORIGIN: origin.optional(),
  HOST: z
    .string()
    .regex(/^[A-Za-z0-9.:-]+$/, 'must be a host name or an IP address')
    .default('127.0.0.1'),
  PORT: integer(1, 65_535).optional(),
  DATABASE_URL: url(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/name').optional(),
  CHAIN_RPC_URL: url(['http:', 'https:'], 'https://rpc.example').optional(),
  CHAIN_WS_URL: url(['ws:', 'wss:'], 'wss://rpc.example').optional(),
  CHAIN_ID: integer(1, 999_999_999_999_999).optional(),
  CHAIN_NAME: z.string().max(60, 'must be at most 60 characters').optional(),
  PUBLIC_RPC_URL: url(['http:', 'https:'], 'https://rpc.example').optional(),
  EXPLORER_URL: url(['http:', 'https:'], 'https://etherscan.io')
    .transform((value) => value.replace(/\/+$/, ''))
    .optional(),
  WALLETCONNECT_PROJECT_ID: z
    .string()
    .regex(/^[0-9a-fA-F]{32}$/, 'must be 32 hex digits, as cloud.reown.com shows them')
    .optional(),
  CHAIN_PORT: integer(1, 65_535).optional(),
  REGISTRY_ADDRESS: address.optional(),
  RUNNER_ADDRESS: address.optional(),
  DEPLOYMENT_BLOCK: integer(0, 999_999_999_999_999).optional(),
  EXECUTE_BLOCK_TAG: z
    .enum(['latest', 'safe', 'finalized'], 'must be latest, safe or finalized')
    .default('latest'),
  EXECUTE_TIMEOUT_MS: milliseconds.default(30_000),
  EXECUTE_GAS_LIMIT: gas.optional(),
  PUBLICATION_ENABLED: flag.default(true),
  DEV_PANEL: flag.default(true),
  CHAIN_TOKEN_KEY: secret.optional(),
  SESSION_KEY: secret.optional(),
  TRUSTED_PROXIES: integer(0, 10).default(0),
  RATE_SIGN_IN: rate.default(300),
  RATE_CREATE: rate.default(2000),
  RATE_RUN: rate.default(1200),
  RATE_PUBLISH: rate.default(3000),
  RATE_UPLOAD: rate.default(600),
  RATE_SEARCH: rate.default(600),
  RATE_WRITE: rate.default(1200),
  RATE_AGENT: rate.default(600),
  COMPILE_TIMEOUT_MS: milliseconds.default(10_000),
  COMPILE_MAX_QUEUE: queue.default(64),
  COMPILE_THREADS: threads.default(1),
  SIMULATE_TIMEOUT_MS: milliseconds.default(15_000),
  SIMULATE_STEP_LIMIT: integer(1, 1_000_000_000_000).default(500_000_000),
  SIMULATE_GAS_LIMIT: gas.default(2_000_000_000n),
  SIMULATE_MAX_QUEUE: queue.default(64),
  SIMULATE_THREADS: threads.default(2),
  BUNDLE_CHECK_TIMEOUT_MS: milliseconds.default(15_000),
  BUNDLE_CHECK_MAX_QUEUE: queue.default(8),
  BUNDLE_CHECK_THREADS: threads.default(1),
  S3_ENDPOINT: origin.optional(),
  S3_REGION: z
    .string()
    .regex(/^[\w-]+$/, 'must be the name of a region')
    .default('us-east-1'),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  S3_PREFIX: z
    .string()
    .regex(/^[\w./-]{1,200}$/, 'must be letters, digits, and . _ - /')
    .default('weft/'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  WORKER_POLL_MS: integer(10, 600_000).optional(),
  SAFE_DEPTH: integer(0, 1_000_000).default(32),
  FINALIZED_DEPTH: integer(1, 1_000_000).default(64),
  OUTBOX_RETENTION_DAYS: integer(1, 36_500).default(30),
  LAG_LIMIT_SECONDS: integer(1, 1_000_000).default(60),
  READY_LAG_LIMIT_SECONDS: integer(1, 10_000_000).default(300),
  WORKER_PORT: integer(1, 65_535).optional(),
  MAX_DRAFTS_PER_OWNER: integer(1, 1_000_000).default(1000),
  MAX_WORLDS_PER_OWNER: integer(1, 1_000_000).default(200),
  MAX_STREAMS: integer(1, 1_000_000).default(10_000),
  MAX_STREAMS_PER_CLIENT: integer(1, 1_000_000).default(100),
  MAX_ANSWER_BYTES: integer(65_536, 268_435_456).default(33_554_432),
  MAX_IN_WORK: integer(1, 1_000_000).default(1024),
  LOG_LEVEL: z
    .enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'must be trace, debug, info, warn, error, fatal or silent',
    )
    .default('info'),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\w.~+/=-]{16,200}$/, 'must be 16 to 200 letters, digits, and . _ ~ + / = -')
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(['http:', 'https:'], 'http://localhost:4318').optional(),
  OTEL_EXPORTER_OTLP_HEADERS: headerList.optional(),
  OTEL_TRACES_SAMPLER_ARG: fraction.default(1),
  ADMIN_ADDRESSES: list(address).default([]),
  ALLOWED_ORIGINS: list(origin).default([]),
  ALLOWED_CHAIN_IDS: list(integer(1, 999_999_999_999_999)).default([1, 11_155_111, 1337, 31_337]),
  EXAMPLE_NETWORK: flag.default(true),
  WEFT_DATA_DIR: z.string().default('.weft'),
})

/** Names of all variables, in the order of `.env.example`. */
export const VARIABLE_NAMES: readonly string[] = Object.keys(variables.shape)

/** A variable as its check knows it. */
export interface VariableRule {
  readonly name: string
  /** As it would be written; undefined where nothing stands in for an absent one. */
  readonly standard: string | undefined
  /** What a value must be, as said to those who got it wrong; undefined when any text will do. */
  readonly rule: string | undefined
}

/** What the checks themselves say of every variable, in the order of `VARIABLE_NAMES`. */
export function describeVariables(): readonly VariableRule[] {
  return Object.entries(variables.shape).map(([name, check]) => {
    const standard = check.safeParse(undefined).data
    return {
      name,
      standard: standard === undefined || String(standard) === '' ? undefined : String(standard),
      // No variable of an environment can hold it, so no check lets it pass but those that take anything.
      rule: check.safeParse('\0').error?.issues[0]?.message,
    }
  })
}

const BUCKET_VARIABLES = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

function parse(env: Environment): { settings: Settings | undefined; problems: string[] } {
  const given: Record<string, string> = {}
  for (const name of VARIABLE_NAMES) {
    // An empty variable is an unset one: that is how `.env` files and container tools write it.
    if (has(env, name)) given[name] = (env[name] as string).trim()
  }
  const result = variables.safeParse(given)
  const problems = result.success
    ? []
    : result.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`)
  for (const [one, other] of [
    ['REGISTRY_ADDRESS', 'RUNNER_ADDRESS'],
    ['RUNNER_ADDRESS', 'REGISTRY_ADDRESS'],
  ] as const) {
    if (has(env, one) && !has(env, other)) {
      problems.push(`${other} is missing: ${one} is set, and the two contracts belong together`)
    }
  }
  const missing = BUCKET_VARIABLES.filter((name) => !has(env, name))
  if (missing.length > 0 && missing.length < BUCKET_VARIABLES.length) {
    for (const name of missing) {
      problems.push(`${name} is missing: ${BUCKET_VARIABLES.join(', ')} belong together`)
    }
  }
  if (!result.success) return { settings: undefined, problems }
  const v = result.data
  return {
    problems,
    settings: {
      siteOrigin: v.SITE_ORIGIN,
      assetOrigin: v.ASSET_ORIGIN,
      host: v.HOST,
      port: v.PORT,
      databaseUrl: v.DATABASE_URL,
      chainRpcUrl: v.CHAIN_RPC_URL,
      chainWsUrl: v.CHAIN_WS_URL,
      chainId: v.CHAIN_ID,
      chainName: v.CHAIN_NAME,
      publicRpcUrl: v.PUBLIC_RPC_URL,
      explorerUrl: v.EXPLORER_URL,
      walletConnectProjectId: v.WALLETCONNECT_PROJECT_ID,
      chainPort: v.CHAIN_PORT,
      registryAddress: v.REGISTRY_ADDRESS,
      runnerAddress: v.RUNNER_ADDRESS,
      deploymentBlock: v.DEPLOYMENT_BLOCK,
      executeBlockTag: v.EXECUTE_BLOCK_TAG,
      publicationEnabled: v.PUBLICATION_ENABLED,
      devPanel: v.DEV_PANEL,
      chainTokenKey: v.CHAIN_TOKEN_KEY,
      sessionKey: v.SESSION_KEY,
      compile: { timeoutMs: v.COMPILE_TIMEOUT_MS, maxQueue: v.COMPILE_MAX_QUEUE, threads: v.COMPILE_THREADS },
      simulate: {
        timeoutMs: v.SIMULATE_TIMEOUT_MS,
        stepLimit: v.SIMULATE_STEP_LIMIT,
        gasLimit: v.SIMULATE_GAS_LIMIT,
        maxQueue: v.SIMULATE_MAX_QUEUE,
        threads: v.SIMULATE_THREADS,
      },
      bundleCheck: {
        timeoutMs: v.BUNDLE_CHECK_TIMEOUT_MS,
        maxQueue: v.BUNDLE_CHECK_MAX_QUEUE,
        threads: v.BUNDLE_CHECK_THREADS,
      },
      blobBucket:
        missing.length > 0
          ? undefined
          : {
              endpoint: v.S3_ENDPOINT as string,
              region: v.S3_REGION,
              bucket: v.S3_BUCKET as string,
              prefix: v.S3_PREFIX,
              accessKeyId: v.S3_ACCESS_KEY_ID as string,
              secretAccessKey: v.S3_SECRET_ACCESS_KEY as string,
            },
      execute: { gasLimit: v.EXECUTE_GAS_LIMIT, timeoutMs: v.EXECUTE_TIMEOUT_MS },
      worker: {
        pollMs: v.WORKER_POLL_MS,
        safeDepth: v.SAFE_DEPTH,
        finalizedDepth: v.FINALIZED_DEPTH,
        outboxRetentionDays: v.OUTBOX_RETENTION_DAYS,
        lagLimitSeconds: v.LAG_LIMIT_SECONDS,
      },
      workerPort: v.WORKER_PORT,
      readyLagLimitSeconds: v.READY_LAG_LIMIT_SECONDS,
      maxDraftsPerOwner: v.MAX_DRAFTS_PER_OWNER,
      maxWorldsPerOwner: v.MAX_WORLDS_PER_OWNER,
      streams: { maxReaders: v.MAX_STREAMS, maxOfClient: v.MAX_STREAMS_PER_CLIENT },
      maxAnswerBytes: v.MAX_ANSWER_BYTES,
      maxInWork: v.MAX_IN_WORK,
      trustedProxies: v.TRUSTED_PROXIES,
      limits: {
        signIn: v.RATE_SIGN_IN,
        create: v.RATE_CREATE,
        run: v.RATE_RUN,
        publish: v.RATE_PUBLISH,
        upload: v.RATE_UPLOAD,
        search: v.RATE_SEARCH,
        write: v.RATE_WRITE,
        agent: v.RATE_AGENT,
      },
      logLevel: v.LOG_LEVEL,
      metricsToken: v.METRICS_TOKEN,
      traces: {
        endpoint: v.OTEL_EXPORTER_OTLP_ENDPOINT,
        headers: v.OTEL_EXPORTER_OTLP_HEADERS ?? {},
        ratio: v.OTEL_TRACES_SAMPLER_ARG,
      },
      adminAddresses: v.ADMIN_ADDRESSES,
      allowedOrigins: v.ALLOWED_ORIGINS,
      allowedChainIds: v.ALLOWED_CHAIN_IDS,
      exampleNetwork: v.EXAMPLE_NETWORK,
      dataDir: v.WEFT_DATA_DIR,
    },
  }
}
