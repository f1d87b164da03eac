import { Failure } from '../domain/failure.ts'
import { WriterLockLost } from './writer.ts'

/** Why a worker does not advance, fit for a public page: no address, no statement, no stack. */
export interface Problem {
  readonly code: string
  readonly sentence: string
}

export const NO_CHAIN: Problem = {
  code: 'no_chain',
  sentence: 'no chain is configured: there is nothing to follow',
}

export const NODE_BEHIND: Problem = {
  code: 'node_behind',
  sentence: 'the chain endpoint is behind what was already read',
}

export const beyondFinality = (sentence: string): Problem => ({ code: 'beyond_finality', sentence })

export const problemOf = (error: unknown): Problem => {
  if (error instanceof Failure) return { code: error.code, sentence: error.message }
  if (error instanceof WriterLockLost) return { code: 'writer_lock_lost', sentence: error.message }
  return { code: 'cannot_write', sentence: 'the database does not take what was read from the chain' }
}
