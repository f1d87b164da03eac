import { decodeErrorResult, parseAbi, size } from 'viem/utils'
import type { Hex } from './entity.ts'

/** Why a run stopped, decoded from the revert data that the chain and the reference engine agree on. */
export interface Rejection {
  /** Solidity error name (`ConditionNotMet`, `Panic`, `Error`, …), `EmptyRevert` without data, else `Unknown`. */
  readonly name: string
  /** Readable text, for instance `Condition not met`. */
  readonly message: string
  readonly revertData: Hex
}

/** Errors that a run, a creation or a publication can end with. */
const ERRORS = parseAbi([
  'error ConditionNotMet(bytes32 name)',
  'error RunningInstanceStaticOverride(uint32 position)',
  'error RunningInstanceDuplicate(uint32 position)',
  'error RunningInstanceNotSorted(uint32 previous, uint32 position)',
  'error TransformationMissing(bytes32 name)',
  'error TransformationAlreadyRegistered(bytes32 name)',
  'error TransformationArgumentsMismatch(bytes32 name)',
  'error ConditionMissing(bytes32 name)',
  'error ConditionAlreadyRegistered(bytes32 name)',
  'error ConditionArgumentsMismatch(bytes32 name)',
  'error ConnectorMissing(bytes32 name)',
  'error ConnectorAlreadyRegistered(bytes32 name)',
  'error ConnectorDimensionsMismatch(bytes32 name)',
  'error ConnectorLimitExceeded(bytes32 name)',
  'error InvalidEntity(address entity)',
  'error Error(string message)',
  'error Panic(uint256 code)',
])

const PANICS: ReadonlyMap<bigint, string> = new Map([
  [0x00n, 'Internal compiler panic'],
  [0x01n, 'Assertion failed'],
  [0x11n, 'Arithmetic overflow or underflow'],
  [0x12n, 'Division or modulo by zero'],
  [0x21n, 'Conversion to an enum out of range'],
  [0x22n, 'Incorrectly encoded storage byte array'],
  [0x31n, 'Pop of an empty array'],
  [0x32n, 'Array index out of bounds'],
  [0x41n, 'Too much memory allocated'],
  [0x51n, 'Call of an uninitialised function'],
])

/** Longest author-written text that is passed on. */
const MAX_TEXT = 1024

/**
 * Decodes why a run stopped. Accepts any bytes: a body may revert with anything, also with data
 * that only starts like a known error.
 */
export function decodeRejection(revertData: Hex): Rejection {
  const error = decode(revertData)
  if (error !== undefined) return { name: error.errorName, message: messageOf(error), revertData }
  return revertData === '0x'
    ? { name: 'EmptyRevert', message: 'Reverted without a reason: a bare revert, or out of gas', revertData }
    : { name: 'Unknown', message: `Reverted with ${size(revertData)} bytes of unknown data`, revertData }
}

function messageOf(error: NonNullable<ReturnType<typeof decode>>): string {
  switch (error.errorName) {
    case 'ConditionNotMet':
      return 'Condition not met'
    case 'RunningInstanceStaticOverride':
      return `Running instance static override (position ${error.args[0]})`
    case 'RunningInstanceDuplicate':
      return `Running instance duplicate (position ${error.args[0]})`
    case 'RunningInstanceNotSorted':
      return `Running instance not sorted (position ${error.args[1]} after ${error.args[0]})`
    case 'InvalidEntity':
      return `The code at ${error.args[0].toLowerCase()} did not answer as its kind must`
    case 'Error':
      return clip(error.args[0]) || 'Reverted with an empty reason'
    case 'Panic':
      return PANICS.get(error.args[0]) ?? `Panic 0x${error.args[0].toString(16)}`
    default:
      return `${words(error.errorName)} (name hash ${error.args[0]})`
  }
}

function decode(data: Hex) {
  try {
    return decodeErrorResult({ abi: ERRORS, data })
  } catch {
    return undefined
  }
}

function clip(text: string): string {
  const whole = text.toWellFormed()
  return whole.length > MAX_TEXT ? `${whole.slice(0, MAX_TEXT).toWellFormed()}…` : whole
}

/** `TransformationMissing` -> `Transformation missing`. */
function words(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
