import { encodeErrorResult, parseAbi } from 'viem/utils'
import type { Rejection } from '../domain/rejection.ts'
import { decodeRejection } from '../domain/rejection-decode.ts'

const RUNNER_ERRORS = parseAbi([
  'error RunningInstanceStaticOverride(uint32 position)',
  'error Panic(uint256 code)',
])

/** What the Runner says when the caller overrides a position that is fixed. */
export function clashRejection(position: number): Rejection {
  return decodeRejection(
    encodeErrorResult({
      abi: RUNNER_ERRORS,
      errorName: 'RunningInstanceStaticOverride',
      args: [position],
    }),
  )
}

/** What the Runner says when the last index of a run does not fit. */
export const INDICES_OVERFLOW = decodeRejection(
  encodeErrorResult({ abi: RUNNER_ERRORS, errorName: 'Panic', args: [0x11n] }),
)
