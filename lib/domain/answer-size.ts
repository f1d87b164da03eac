import { Failure } from './failure.ts'

/**
 * The refusal of a run whose answer would be larger than this server gives.
 *
 * @param bytes Its size as JSON, at least.
 * @param limit Of one answer, in bytes.
 */
export function answerTooLarge(bytes: number, limit: number): Failure {
  const [size, most] = [bytes, limit].map((value) => value.toLocaleString('en'))
  return new Failure(
    'rejected',
    `Execution rejected: the answer would have at least ${size} bytes, and this server gives at most ${most}; ask for ` +
      'fewer particles, or run a connector of fewer or shorter paths',
  )
}
