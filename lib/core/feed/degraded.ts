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
  readonly otherChain: { readonly served: number; readonly configured: number } | undefined
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
        'No chain is configured, so there is nothing to index.',
        'Set CHAIN_RPC_URL, REGISTRY_ADDRESS and RUNNER_ADDRESS, or use npm start, which starts a development chain.',
      ),
    ]
  }
  const reasons: (DegradedReason | false)[] = [
    !facts.followsConfigured &&
      reason(
        'other_registry',
        'The database was filled from another registry than the configured one.',
        'Point DATABASE_URL at another database, or change REGISTRY_ADDRESS and CHAIN_ID back.',
      ),
    !facts.started &&
      reason(
        'not_started',
        'No worker has indexed this chain yet.',
        'Start one with npm run worker (npm start includes it).',
      ),
    !facts.hasWriter &&
      facts.started &&
      reason(
        'no_writer',
        'No worker is running: new publications are not indexed.',
        'Start one with npm run worker (npm start includes it); if one runs, check its log. Without a machine, have /worker/step called every minute.',
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
        'Check that the node at CHAIN_RPC_URL is running and reachable; indexing resumes when it responds.',
      ),
    facts.otherChain !== undefined &&
      reason(
        'wrong_chain',
        `The chain endpoint serves chain ${facts.otherChain.served}, not chain ${facts.otherChain.configured} as configured.`,
        'Point CHAIN_RPC_URL at a node of the right chain, or correct CHAIN_ID.',
      ),
    facts.nodeBehind &&
      facts.otherChain === undefined &&
      reason(
        'node_behind',
        'The chain endpoint is behind the blocks already indexed.',
        'Wait until it is synchronised, or point CHAIN_RPC_URL at a node that is.',
      ),
    facts.writerProblem !== undefined &&
      !covered(facts) &&
      reason(
        facts.writerProblem.code,
        sentence(facts.writerProblem.sentence),
        WRITER_FIXES.get(facts.writerProblem.code) ?? 'Check the log of the worker.',
      ),
    lagging(facts) &&
      reason(
        'lagging',
        `The feed is ${count(facts.lagBlocks ?? 0, 'block')} and ${count(facts.lagSeconds ?? 0, 'second')} behind the chain.`,
        'It catches up while a worker runs and the node responds; if the lag keeps growing, the node or the machine of the worker is too slow.',
      ),
  ]
  return reasons.filter((each) => each !== false)
}

/** Fixes of problems that a worker reports, by code. */
const WRITER_FIXES: ReadonlyMap<string, string> = new Map([
  [
    'nodes_disagree',
    'Wait some minutes: a node may be on another branch. If it stays so, replace that node in WORKER_RPC_URL or CHAIN_RPC_URL.',
  ],
  [
    'events_missing',
    'Wait some minutes: a node may index its logs late. If it stays so, replace that node in WORKER_RPC_URL or CHAIN_RPC_URL, or let two agree by NODE_QUORUM=2. Nothing after the block is indexed meanwhile.',
  ],
  [
    'chain_unavailable',
    'Check CHAIN_RPC_URL, CHAIN_ID, REGISTRY_ADDRESS and RUNNER_ADDRESS of the worker; indexing resumes when they are right.',
  ],
  ['cannot_write', 'Check the logs of the worker and of PostgreSQL; indexing resumes without a restart.'],
  ['disk_full', 'Free space on the disk of PostgreSQL; indexing resumes without a restart.'],
  ['database_read_only', 'Point DATABASE_URL at the primary server, or unset default_transaction_read_only.'],
  [
    'heads_silent',
    'Check that CHAIN_WS_URL leads to a node with subscriptions; nothing is lost, blocks only show a little later.',
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
