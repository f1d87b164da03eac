import { Failure } from '../../protocol/failure.ts'
import type { Rejection } from '../../protocol/rejection.ts'

/**
 * Running into a limit of the simulator as a rejection: to an author it is one more way in which a run ends.
 *
 * @throws the error itself when it is anything else.
 */
export function asRejection(error: unknown): Rejection {
  if (!(error instanceof Failure) || error.code !== 'rejected') throw error
  return { name: 'Limit', message: error.message.replace(/^Execution rejected: /, ''), revertData: '0x' }
}
