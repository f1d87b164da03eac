import { count, gas, integer, milliseconds, queue, rate, threads } from './config-checks.ts'
import { RATE_LIMITS } from './limits/rate-limits.ts'
import { env } from './setting.ts'

/** Limits of clients and accounts, and of the work of one process at a time. */
export const LIMIT_SETTINGS = {
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
  /** Compiler of Solidity. */
  compile: {
    timeoutMs: env('COMPILE_TIMEOUT_MS', milliseconds.default(10_000)),
    maxQueue: env('COMPILE_MAX_QUEUE', queue.default(64)),
    threads: env('COMPILE_THREADS', threads.default(1)),
  },
  /** Local runs of connectors. */
  simulate: {
    timeoutMs: env('SIMULATE_TIMEOUT_MS', milliseconds.default(15_000)),
    /** Steps of transformations, and of loops inside them, in one run. */
    stepLimit: env('SIMULATE_STEP_LIMIT', integer(1, 1_000_000_000_000).default(500_000_000)),
    /** Gas of runs in the exact EVM. */
    gasLimit: env('SIMULATE_GAS_LIMIT', gas.default(2_000_000_000n)),
    maxQueue: env('SIMULATE_MAX_QUEUE', queue.default(64)),
    threads: env('SIMULATE_THREADS', threads.default(2)),
  },
  /** Checks of the bundles of Worlds. */
  bundleCheck: {
    timeoutMs: env('BUNDLE_CHECK_TIMEOUT_MS', milliseconds.default(15_000)),
    maxQueue: env('BUNDLE_CHECK_MAX_QUEUE', queue.default(8)),
    threads: env('BUNDLE_CHECK_THREADS', threads.default(1)),
  },

  // Quotas and limits of one process
  /** Drafts that one account may have. */
  maxDraftsPerOwner: env('MAX_DRAFTS_PER_OWNER', count.default(1000)),
  /** Worlds that one account may have. */
  maxWorldsPerOwner: env('MAX_WORLDS_PER_OWNER', count.default(200)),
  /** MiB of the files of Worlds. */
  worldMib: {
    /** MiB of all Worlds of one account. */
    ofAccount: env('MAX_WORLD_MIB_PER_OWNER', count.default(1024)),
    /** Stored by one account in a day, whether they stay or not. */
    aDay: env('MAX_WORLD_MIB_PER_DAY', count.default(1024)),
    /** MiB of the site, previews included. */
    inAll: env('MAX_WORLD_MIB', count.default(16_384)),
  },
  /** Open streams of the feed. */
  streams: {
    /** In all. */
    maxReaders: env('MAX_STREAMS', count.default(10_000)),
    /** From one client address. */
    maxOfClient: env('MAX_STREAMS_PER_CLIENT', count.default(100)),
  },
  /** Bytes of the particles of one run, as JSON. */
  maxAnswerBytes: env('MAX_ANSWER_BYTES', integer(65_536, 268_435_456).default(33_554_432)),
  /** Requests in flight; further ones are refused. */
  maxInWork: env('MAX_IN_WORK', count.default(1024)),
}
