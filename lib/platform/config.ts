import { z } from 'zod'
import {
  address,
  amount,
  BUCKET_VARIABLES,
  bearer,
  blockTag,
  ConfigError,
  chainId,
  contactUrl,
  count,
  type Environment,
  explorerUrl,
  featuredNames,
  flag,
  fraction,
  gas,
  has,
  headerList,
  httpUrl,
  httpUrls,
  idList,
  integer,
  list,
  logLevel,
  milliseconds,
  missingVariables,
  origin,
  port,
  postgresUrl,
  privateKey,
  problemsOfGroups,
  problemsOfQuorum,
  queue,
  rate,
  receiverUrl,
  secret,
  sender,
  siteText,
  smtpUrl,
  text,
  threads,
  webSocketUrl,
} from './config-checks.ts'
import { chainDatabaseUrl } from './db/chain-schema.ts'
import { environmentOf, nameInProblem, problemsOfChains } from './further-chains.ts'
import { RATE_LIMITS } from './limits/rate-limits.ts'

/*
 * Every setting of Weft: one row a setting, by topic, with its environment variable, check and default. Units are in the
 * comments. `.env.example` and `docs/site/self-hosting/configuration.md` list the same variables for operators.
 */

/** An environment variable and its check, which also holds the default. */
interface Variable<Value> {
  readonly name: string
  readonly check: z.ZodType<Value, string | undefined>
}

function env<Check extends z.ZodType<unknown, string | undefined>>(
  name: string,
  check: Check,
): Variable<z.output<Check>> {
  return { name, check: check as z.ZodType<z.output<Check>, string | undefined> }
}

const SETTINGS = {
  // Site
  /** Origin of the site as users type it. Default: `http://localhost:<port>`. */
  siteOrigin: env('SITE_ORIGIN', origin.optional()),
  /** Origin that Worlds are loaded from, which must lead to this site. Default: the site's own. */
  assetOrigin: env('ASSET_ORIGIN', origin.optional()),
  host: env('HOST', text(/^[A-Za-z0-9.:-]+$/, 'must be a host name or an IP address').default('127.0.0.1')),
  /** Default: 3000; `npm start` takes the next free port. */
  port: env('PORT', port.optional()),
  logLevel: env('LOG_LEVEL', logLevel.default('info')),
  /** Number of own proxies in front of the site, for the client's address. */
  trustedProxies: env('TRUSTED_PROXIES', integer(0, 10).default(0)),
  // The operator's own words and choices
  site: {
    /** Name of the site, as its pages show it. */
    name: env('SITE_NAME', siteText(40).default('Weft')),
    /** First sentence of the home page. Default: what Weft is. */
    sentence: env('SITE_SENTENCE', siteText(200).optional()),
    /** Pages that the footer links to; the contact may be a `mailto:` address. */
    imprint: env('SITE_IMPRINT', httpUrl.optional()),
    privacy: env('SITE_PRIVACY', httpUrl.optional()),
    contact: env('SITE_CONTACT', contactUrl.optional()),
  },
  /** Names of connectors and slugs of Worlds that pages and the studio show first, in this order. */
  featured: env('FEATURED', featuredNames.default([])),
  // E-mail: notices to accounts that confirmed an address. Without a server none is sent.
  mail: {
    /** Mail server, with its user and password. */
    smtpUrl: env('SMTP_URL', smtpUrl.optional()),
    from: env('MAIL_FROM', sender.optional()),
  },
  // Database
  databaseUrl: env('DATABASE_URL', postgresUrl.optional()),
  /** Folder of the embedded database and chain. */
  dataDir: env('WEFT_DATA_DIR', z.string().default('.weft')),

  // Chain
  /** Nodes of the server, separated by commas, the preferred one first. Without any, what needs a chain responds with 503. */
  chainRpcUrl: env('CHAIN_RPC_URL', httpUrls.optional()),
  /** Nodes of the worker. Default: those of the server. */
  workerRpcUrl: env('WORKER_RPC_URL', httpUrls.optional()),
  /** Limits of each node. What is not set is probed, or has no limit. */
  node: {
    /** Calls in one batch, blocks and events of one `eth_getLogs`, blocks of state, gas of one `eth_call`. */
    batchSize: env('NODE_BATCH_SIZE', integer(1, 1000).optional()),
    logRange: env('NODE_LOG_RANGE', integer(1, 1_000_000).optional()),
    logResults: env('NODE_LOG_RESULTS', integer(1, 1_000_000).optional()),
    stateBlocks: env('NODE_STATE_BLOCKS', integer(0, 1_000_000_000).optional()),
    callGas: env('NODE_CALL_GAS', gas.optional()),
    /** Whether it knows the tags `safe` and `finalized`, serves `eth_getProof`, and announces heads over a WebSocket. */
    tags: env('NODE_TAGS', flag.optional()),
    proofs: env('NODE_PROOFS', flag.optional()),
    newHeads: env('NODE_NEW_HEADS', flag.optional()),
    /** Nodes of the worker that must say the same of the head and of events. */
    quorum: env('NODE_QUORUM', integer(1, 2).default(1)),
    /** Calls that one process sends in a second, and from midnight to midnight (UTC). */
    perSecond: env('NODE_CALLS_PER_SECOND', count.optional()),
    perDay: env('NODE_CALLS_PER_DAY', integer(1, 1_000_000_000).optional()),
  },
  /** WebSocket of the node for subscriptions to new heads; without it the worker only polls. */
  chainWsUrl: env('CHAIN_WS_URL', webSocketUrl.optional()),
  /** The node must serve this chain id; unchecked by default. */
  chainId: env('CHAIN_ID', chainId.optional()),
  /** Ids of further chains; their settings are in `further-chains.ts`. */
  furtherChainIds: env('CHAINS', idList.default([])),
  /** Name of the chain and symbol of its currency; known for some ids, see `lib/protocol/chains.ts`. */
  chainName: env('CHAIN_NAME', z.string().max(60, 'must be at most 60 characters').optional()),
  chainCurrency: env('CHAIN_CURRENCY', text(/^[A-Za-z0-9.$]{1,11}$/, 'must be a symbol like ETH').optional()),
  /** Node of browsers and wallets. Public: it must not contain a secret. */
  publicRpcUrl: env('PUBLIC_RPC_URL', httpUrl.optional()),
  /** Block explorer without a trailing slash; known for some ids. */
  explorerUrl: env('EXPLORER_URL', explorerUrl.optional()),
  verifiers: {
    sourcifyUrl: env('SOURCIFY_URL', httpUrl.optional()),
    etherscanKey: env('ETHERSCAN_API_KEY', z.string().optional()),
    etherscanUrl: env('ETHERSCAN_URL', httpUrl.optional()),
    blockscoutUrl: env('BLOCKSCOUT_URL', httpUrl.optional()),
  },
  /** Port of the embedded chain. Default: 8545. */
  chainPort: env('CHAIN_PORT', port.optional()),
  registryAddress: env('REGISTRY_ADDRESS', address.optional()),
  runnerAddress: env('RUNNER_ADDRESS', address.optional()),
  /** First block that can contain an event of the registry. */
  deploymentBlock: env('DEPLOYMENT_BLOCK', integer(0, 999_999_999_999_999).optional()),
  executeBlockTag: env('EXECUTE_BLOCK_TAG', blockTag.default('latest')),
  execute: {
    timeoutMs: env('EXECUTE_TIMEOUT_MS', milliseconds.default(30_000)),
    /** Gas of one run on chain. Default: the node's limit. */
    gasLimit: env('EXECUTE_GAS_LIMIT', gas.optional()),
  },
  publicationEnabled: env('PUBLICATION_ENABLED', flag.default(true)),
  /** An account of the operator that pays for others' publications, and what it may spend in a day (UTC), in wei. */
  sponsor: {
    /** Its private key; without one, nothing is paid for. */
    key: env('SPONSOR_PRIVATE_KEY', privateKey.optional()),
    perDay: env('SPONSOR_PER_DAY', amount.default(10n ** 16n)),
    /** For one publishing account, and for one client address. */
    perAccount: env('SPONSOR_PER_ACCOUNT', amount.default(2n * 10n ** 15n)),
    perClient: env('SPONSOR_PER_CLIENT', amount.default(4n * 10n ** 15n)),
  },
  /** Paymaster service (ERC-7677) that wallets are given with a batch of calls. Public: pages show it to wallets. */
  paymasterUrl: env('PAYMASTER_URL', httpUrl.optional()),
  /** Buttons on the feed page that mine and reorg a development chain on this machine. */
  devPanel: env('DEV_PANEL', flag.default(true)),
  /** Whether browsers store the studio, so that it opens without a connection. Off, they remove what they stored. */
  studioOffline: env('STUDIO_OFFLINE', flag.default(true)),
  /** Publish the example network at start. */
  exampleNetwork: env('EXAMPLE_NETWORK', flag.default(true)),

  // Accounts and sign-in
  /** Key that signs access tokens of the chain API, at least 32 bytes. */
  chainTokenKey: env('CHAIN_TOKEN_KEY', secret.optional()),
  /** Key that seals the session cookie of the site, at least 32 bytes. */
  sessionKey: env('SESSION_KEY', secret.optional()),
  /** Offers WalletConnect beside the browser's wallets. */
  walletConnectProjectId: env(
    'WALLETCONNECT_PROJECT_ID',
    text(/^[0-9a-fA-F]{32}$/, 'must be 32 hex digits, as cloud.reown.com shows them').optional(),
  ),
  adminAddresses: env('ADMIN_ADDRESSES', list(address).default([])),
  /** Origins that may use session endpoints. Default: the site's own. */
  allowedOrigins: env('ALLOWED_ORIGINS', list(origin).default([])),
  /** Chain ids that sign-in messages may name. By default CHAIN_ID too. */
  allowedChainIds: env('ALLOWED_CHAIN_IDS', list(chainId).default([1, 11_155_111, 1337, 31_337])),

  // Rate limits: requests a minute of one client
  rateLimits: {
    signIn: env('RATE_SIGN_IN', rate.default(RATE_LIMITS.signIn)),
    create: env('RATE_CREATE', rate.default(RATE_LIMITS.create)),
    run: env('RATE_RUN', rate.default(RATE_LIMITS.run)),
    publish: env('RATE_PUBLISH', rate.default(RATE_LIMITS.publish)),
    upload: env('RATE_UPLOAD', rate.default(RATE_LIMITS.upload)),
    search: env('RATE_SEARCH', rate.default(RATE_LIMITS.search)),
    write: env('RATE_WRITE', rate.default(RATE_LIMITS.write)),
    agent: env('RATE_AGENT', rate.default(RATE_LIMITS.agent)),
  },

  // Worker pools: time and queue of one task
  compile: {
    timeoutMs: env('COMPILE_TIMEOUT_MS', milliseconds.default(10_000)),
    maxQueue: env('COMPILE_MAX_QUEUE', queue.default(64)),
    threads: env('COMPILE_THREADS', threads.default(1)),
  },
  simulate: {
    timeoutMs: env('SIMULATE_TIMEOUT_MS', milliseconds.default(15_000)),
    /** Steps of transformations, and of loops inside them, in one run. */
    stepLimit: env('SIMULATE_STEP_LIMIT', integer(1, 1_000_000_000_000).default(500_000_000)),
    /** Gas of runs in the exact EVM. */
    gasLimit: env('SIMULATE_GAS_LIMIT', gas.default(2_000_000_000n)),
    maxQueue: env('SIMULATE_MAX_QUEUE', queue.default(64)),
    threads: env('SIMULATE_THREADS', threads.default(2)),
  },
  bundleCheck: {
    timeoutMs: env('BUNDLE_CHECK_TIMEOUT_MS', milliseconds.default(15_000)),
    maxQueue: env('BUNDLE_CHECK_MAX_QUEUE', queue.default(8)),
    threads: env('BUNDLE_CHECK_THREADS', threads.default(1)),
  },

  // Files of Worlds: an S3-compatible bucket, addressed as <endpoint>/<bucket>/<prefix><hash>. Default: the database.
  bucket: {
    endpoint: env('S3_ENDPOINT', origin.optional()),
    region: env('S3_REGION', text(/^[\w-]+$/, 'must be the name of a region').default('us-east-1')),
    bucket: env(
      'S3_BUCKET',
      text(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket').optional(),
    ),
    /** Prefix of all keys, so that a bucket can be shared. */
    prefix: env(
      'S3_PREFIX',
      text(/^[\w./-]{1,200}$/, 'must be letters, digits, and . _ - /').default('weft/'),
    ),
    accessKeyId: env('S3_ACCESS_KEY_ID', z.string().optional()),
    secretAccessKey: env('S3_SECRET_ACCESS_KEY', z.string().optional()),
  },
  /** Whether browsers send large bundles to the bucket themselves. */
  uploadsByAddress: env('UPLOADS_BY_ADDRESS', flag.default(false)),

  // Worker
  worker: {
    /** Polling interval in milliseconds. Default: 250 on development chains, else 15,000 (`docs/following.md`). */
    pollMs: env('WORKER_POLL_MS', integer(10, 600_000).optional()),
    /** Blocks below the head, where the node has no `safe` tag. Default: by the chain. */
    safeDepth: env('SAFE_DEPTH', integer(0, 1_000_000).optional()),
    /** Blocks below the head, where the node has no `finalized` tag. Default: by the chain. */
    finalizedDepth: env('FINALIZED_DEPTH', count.optional()),
    /** Days that deltas stay available to streams. */
    outboxRetentionDays: env('OUTBOX_RETENTION_DAYS', integer(1, 36_500).default(30)),
    /** Age in seconds of the oldest unread block above which the feed is degraded. */
    lagLimitSeconds: env('LAG_LIMIT_SECONDS', count.default(60)),
  },
  /** Bearer token of `/worker/step`, by the name that platforms use. Default: there is no such address. */
  cronSecret: env('CRON_SECRET', bearer.optional()),
  /** Port of the worker's health and metrics pages. Default: none are served. */
  workerPort: env('WORKER_PORT', port.optional()),
  /** Lag in seconds above which `/readyz` responds with 503. */
  readyLagLimitSeconds: env('READY_LAG_LIMIT_SECONDS', integer(1, 10_000_000).default(300)),

  /** Development only: webhooks may reach this machine itself, over `http` and at any port. */
  webhooksAllowLoopback: env('WEBHOOKS_ALLOW_LOOPBACK', flag.default(false)),

  // Quotas and limits of one process
  maxDraftsPerOwner: env('MAX_DRAFTS_PER_OWNER', count.default(1000)),
  maxWorldsPerOwner: env('MAX_WORLDS_PER_OWNER', count.default(200)),
  /** Open streams of the feed. */
  streams: {
    maxReaders: env('MAX_STREAMS', count.default(10_000)),
    /** From one client address. */
    maxOfClient: env('MAX_STREAMS_PER_CLIENT', count.default(100)),
  },
  /** Bytes of the particles of one run, as JSON. */
  maxAnswerBytes: env('MAX_ANSWER_BYTES', integer(65_536, 268_435_456).default(33_554_432)),
  /** Requests in flight; further ones are refused. */
  maxInWork: env('MAX_IN_WORK', count.default(1024)),

  // Metrics and traces
  /** Bearer token of `/metrics`. Default: public. */
  metricsToken: env('METRICS_TOKEN', bearer.optional()),
  traces: {
    /** OTLP receiver over HTTP; without one tracing is not loaded. */
    endpoint: env('OTEL_EXPORTER_OTLP_ENDPOINT', receiverUrl.optional()),
    headers: env('OTEL_EXPORTER_OTLP_HEADERS', headerList.optional()),
    /** Share of traces that are recorded, from 0 to 1. */
    ratio: env('OTEL_TRACES_SAMPLER_ARG', fraction.default(1)),
  },
}

type ValuesOf<Table> = {
  readonly [Key in keyof Table]: Table[Key] extends Variable<infer Value> ? Value : ValuesOf<Table[Key]>
}

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
} & {
  /** Configurations of the further chains, each complete, with a schema of its own in the same database. */
  readonly furtherChains: readonly ConfigOfChain[]
}

export type ConfigOfChain = Config & { readonly chainId: number }

/** Limits of one worker pool. */
export type PoolLimits = Config['compile']

export const DEFAULT_PORT = 3000
export const DEFAULT_CHAIN_PORT = 8545
export const DEFAULT_WORKER_PORT = 9464

export { ConfigError, type Environment }

/** @throws ConfigError naming each bad or missing variable and its fix. */
export function readConfig(env: Environment): Config {
  const { config, problems } = complete(env)
  const { furtherChainIds = [], chainId, allowedChainIds } = config
  problems.push(...problemsOfChains(env, furtherChainIds, chainId))
  const further = furtherChainIds.map((id) => ({ id, ...complete(environmentOf(env, id)) }))
  for (const { id, problems: own } of further) problems.push(...own.map((each) => nameInProblem(each, id)))
  if (problems.length > 0) throw new ConfigError([...new Set(problems)])
  const furtherChains = further.map(({ id, config: own }) => {
    const databaseUrl = chainDatabaseUrl(config.databaseUrl, id)
    return { ...own, chainId: id, allowedChainIds, databaseUrl }
  })
  return { ...config, furtherChains }
}

/** @returns a configuration that is only valid without problems. */
function complete(env: Environment): { config: Config; problems: string[] } {
  const { settings, problems } = parse(env)
  problems.push(...missingVariables((name) => has(env, name)))
  const { chainPort: _chainPort, dataDir: _dataDir, exampleNetwork: _exampleNetwork, ...rest } = settings
  const port = settings.port ?? DEFAULT_PORT
  const siteOrigin = settings.siteOrigin ?? `http://localhost:${port}`
  const allowedOrigins = settings.allowedOrigins?.length > 0 ? settings.allowedOrigins : [siteOrigin]
  // Without problems none of the required settings is undefined.
  const all = { ...rest, port, siteOrigin, allowedOrigins, furtherChains: [] } as unknown as Config
  return { config: all, problems }
}

/** The same checks as `readConfig`, but what the embedded stack can supply may be absent. @throws ConfigError */
export function readSettings(env: Environment): Settings {
  const { settings, problems } = parse(env)
  if (problems.length > 0) throw new ConfigError(problems)
  return settings
}

/** Names of all variables. */
export const VARIABLE_NAMES: readonly string[] = variablesOf(SETTINGS).map(({ name }) => name)

function isVariable(entry: object): entry is Variable<unknown> {
  return 'check' in entry
}

function variablesOf(table: object): Variable<unknown>[] {
  return Object.values(table).flatMap((entry: object) => (isVariable(entry) ? entry : variablesOf(entry)))
}

function valuesOf<Table extends object>(table: Table, read: (variable: Variable<unknown>) => unknown) {
  const values = Object.entries(table).map(([key, entry]: [string, object]): [string, unknown] => [
    key,
    isVariable(entry) ? read(entry) : valuesOf(entry, read),
  ])
  return Object.fromEntries(values) as ValuesOf<Table>
}

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
  problems.push(...problemsOfQuorum(rest.node.quorum, rest.workerRpcUrl ?? rest.chainRpcUrl))
  const hasBucket = BUCKET_VARIABLES.every((name) => has(env, name))
  if (rest.uploadsByAddress && !hasBucket) problems.push('UPLOADS_BY_ADDRESS needs a bucket: set S3_ENDPOINT')
  const blobBucket = hasBucket ? (bucket as BucketSettings) : undefined
  const { chainId, furtherChainIds = [] } = rest
  const served = has(env, 'ALLOWED_CHAIN_IDS') || chainId === undefined ? [] : [chainId, ...furtherChainIds]
  const allowedChainIds = [...new Set([...(rest.allowedChainIds ?? []), ...served])]
  return { settings: { ...rest, allowedChainIds, blobBucket }, problems }
}
