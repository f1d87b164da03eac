import { WriterLockLost } from '#lib/core/indexer/writer.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { REFUSAL_CODE } from './database-connection.ts'

/** The last is a session that was terminated. */
const OF_THE_DATABASE = [
  REFUSAL_CODE,
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'ECONNRESET',
  'EPIPE',
  '57P01',
]

/** Tells whether an error comes from the faults that are drawn; any other is the worker's own. */
export function isOfTheWorld(error: unknown): boolean {
  if (error instanceof Failure) return error.code === 'chain_unavailable'
  return error instanceof WriterLockLost || OF_THE_DATABASE.includes(codeOf(error))
}

/** An error in the trace. The text of most names a port, which is another one in every run. */
export function nameOf(error: unknown): string {
  return error instanceof Failure ? error.message : codeOf(error) || String(error)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
