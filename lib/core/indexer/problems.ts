import type { NodePool } from '#lib/chain/nodes/pool.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { EventsMissing } from './chain-source.ts'
import { WriterLockLost } from './writer-lock.ts'

/** Why a worker does not advance. Public: contains no address, statement or stack. */
export interface Problem {
  readonly code: string
  readonly sentence: string
}

export const NO_CHAIN: Problem = {
  code: 'no_chain',
  sentence: 'no chain is configured: there is nothing to index',
}

export const NODE_BEHIND: Problem = {
  code: 'node_behind',
  sentence: 'the chain endpoint is behind the blocks already indexed',
}

export const HEADS_SILENT: Problem = {
  code: 'heads_silent',
  sentence: 'the subscription to new blocks is down: the worker polls the node instead',
}

/** Problem of nodes that said different things, though two that agree carry on. */
export function nodesDisagree(nodes: NodePool): Problem | undefined {
  const disagreements = nodes.status().map(({ disagreement }) => disagreement)
  const at = disagreements.findIndex((about) => about !== undefined)
  if (at < 0) return undefined
  const sentence = `node ${at + 1} of the worker said something else than another one about ${disagreements[at]}: only what two nodes say alike is indexed`
  return { code: 'nodes_disagree', sentence }
}

export function beyondFinality(sentence: string): Problem {
  return { code: 'beyond_finality', sentence }
}

export function problemOf(error: unknown): Problem {
  if (error instanceof Failure) return { code: error.code, sentence: error.message }
  if (error instanceof EventsMissing)
    return { code: 'events_missing', sentence: `${error.message}: it is read again` }
  if (error instanceof WriterLockLost) return { code: 'writer_lock_lost', sentence: error.message }
  const refusal = WRITE_REFUSALS.get(databaseCode(error) ?? '')
  return refusal ?? { code: 'cannot_write', sentence: 'the database rejects what was read from the chain' }
}

/** By the error codes of PostgreSQL. */
const WRITE_REFUSALS: ReadonlyMap<string, Problem> = new Map([
  ['53100', { code: 'disk_full', sentence: 'the disk of the database is full' }],
  ['25006', { code: 'database_read_only', sentence: 'the database is read-only' }],
])

function databaseCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown }
  return typeof code === 'string' ? code : databaseCode(cause)
}
