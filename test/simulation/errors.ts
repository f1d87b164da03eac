import { Failure } from '../../lib/domain/failure.ts'
import { WriterLockLost } from '../../lib/feed/writer.ts'
import { REFUSAL_CODE } from './database-connection.ts'

/** The last is a session that somebody ended. */
const OF_THE_DATABASE = [
  REFUSAL_CODE,
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'ECONNRESET',
  'EPIPE',
  '57P01',
]

/** Whether an error comes from the faults that are drawn; any other is the worker's own. */
export const isOfTheWorld = (error: unknown): boolean => {
  if (error instanceof Failure) return error.code === 'chain_unavailable'
  return error instanceof WriterLockLost || OF_THE_DATABASE.includes(codeOf(error))
}

/** An error in the trace. The text of most names a port, which is another one in every run. */
export const nameOf = (error: unknown): string =>
  error instanceof Failure ? error.message : codeOf(error) || String(error)

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''
