/** A problem of the feed: what is wrong, in one sentence, and what an operator can do. */
export interface DegradedReason {
  readonly code: string
  readonly sentence: string
  readonly fix: string
}

export interface FeedFacts {
  /** Whether a chain is configured. */
  readonly configured: boolean
  readonly nodeAnswers: boolean
  /** Chain ids when the node serves another chain than the indexed one. */
  readonly otherChain: { readonly served: number; readonly wanted: number } | undefined
  /** Whether the database was filled from the configured registry. */
  readonly followsConfigured: boolean
  /** Whether a worker ever wrote to this database. */
  readonly started: boolean
  readonly hasWriter: boolean
  readonly writerProblem: { readonly code: string; readonly sentence: string } | undefined
  readonly frozenReason: string | undefined
  /** Whether the node's head is below the processed block. */
  readonly nodeBehind: boolean
  readonly lagBlocks: number | null
  readonly lagSeconds: number | null
  readonly lagLimitSeconds: number
}

/** All problems, the most specific first. */
export function degradedReasons(facts: FeedFacts): DegradedReason[] {
  if (!facts.configured) {
    return [
      reason(
        'no_chain',
        'No chain is configured, so there is nothing to follow.',
        'Set CHAIN_RPC_URL, REGISTRY_ADDRESS and RUNNER_ADDRESS, or use npm start, which brings a chain along.',
      ),
    ]
  }
  const found: (DegradedReason | false)[] = [
    !facts.followsConfigured &&
      reason(
        'other_registry',
        'The database was filled from another registry than the configured one.',
        'Point DATABASE_URL at another database, or change REGISTRY_ADDRESS and CHAIN_ID back.',
      ),
    !facts.started &&
      reason(
        'not_started',
        'No worker has read anything yet.',
        'Start one: npm run worker (npm start does).',
      ),
    !facts.hasWriter &&
      facts.started &&
      reason(
        'no_writer',
        'No worker is writing: nothing new will be read from the chain.',
        'Start one: npm run worker (npm start does); if one runs, look into its log.',
      ),
    facts.frozenReason !== undefined &&
      reason(
        'beyond_finality',
        sentence(facts.frozenReason),
        'Point CHAIN_RPC_URL at a node of the known chain; if the chain itself has changed for good, start over with an empty database.',
      ),
    !facts.nodeAnswers &&
      reason(
        'node_unavailable',
        'The chain endpoint does not answer.',
        'Check that the node at CHAIN_RPC_URL runs and can be reached; reading goes on by itself when it is back.',
      ),
    facts.otherChain !== undefined &&
      reason(
        'wrong_chain',
        `The chain endpoint serves chain ${facts.otherChain.served}, not chain ${facts.otherChain.wanted} that is followed here.`,
        'Point CHAIN_RPC_URL at a node of the right chain, or mend CHAIN_ID.',
      ),
    facts.nodeBehind &&
      facts.otherChain === undefined &&
      reason(
        'node_behind',
        'The chain endpoint is behind what was read from it before.',
        'Wait until it has caught up, or point CHAIN_RPC_URL at a node that has.',
      ),
    facts.writerProblem !== undefined &&
      !covered(facts) &&
      reason(
        facts.writerProblem.code,
        sentence(facts.writerProblem.sentence),
        WRITER_FIXES.get(facts.writerProblem.code) ?? 'Look into the log of the worker.',
      ),
    lagging(facts) &&
      reason(
        'lagging',
        `The feed is ${count(facts.lagBlocks ?? 0, 'block')} and ${count(facts.lagSeconds ?? 0, 'second')} behind the chain.`,
        'It catches up by itself when a worker runs and the node answers; if the lag only grows, the node is too slow or the worker has too little to run on.',
      ),
  ]
  return found.filter((each) => each !== false)
}

/** Fixes of problems that a worker reports, by code. */
const WRITER_FIXES: ReadonlyMap<string, string> = new Map([
  [
    'chain_unavailable',
    'Check CHAIN_RPC_URL, CHAIN_ID, REGISTRY_ADDRESS and RUNNER_ADDRESS of the worker; it goes on by itself when they are right.',
  ],
  ['cannot_write', 'Look into the logs of the worker and of PostgreSQL; reading goes on by itself.'],
  ['disk_full', 'Make room on the disk of PostgreSQL; reading goes on by itself.'],
  [
    'database_read_only',
    'Point DATABASE_URL at the server that takes writes, or take default_transaction_read_only back.',
  ],
])

function lagging({ lagSeconds, lagLimitSeconds }: FeedFacts): boolean {
  return lagSeconds !== null && lagSeconds > lagLimitSeconds
}

/** Problems that the site finds itself, with better texts. */
function covered(facts: FeedFacts): boolean {
  return (
    facts.frozenReason !== undefined ||
    facts.nodeBehind ||
    !facts.nodeAnswers ||
    facts.otherChain !== undefined
  )
}

function reason(code: string, text: string, fix: string): DegradedReason {
  return { code, sentence: text, fix }
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
}

function count(n: number, unit: string): string {
  return `${n} ${unit}${n === 1 ? '' : 's'}`
}
