import { decodeErrorResult } from 'viem'
import { registryAbi } from '../chain/abi.ts'
import type { CallOutcome } from '../chain/evm-call.ts'
import type { Hex } from '../domain/entity.ts'
import { decodeRejection } from '../domain/rejection-decode.ts'

/** Why a publication would not go through, for the client. */
export interface Reason {
  /** Solidity error name, or `OutOfGas`, `InsufficientFunds`, `Fault`. */
  readonly name: string
  readonly message: string
}

/** Names the registry's own error where there is one. */
export const revertReason = (outcome: Extract<CallOutcome, { ok: false }>): Reason => {
  switch (outcome.cause) {
    case 'revert':
      return registryError(outcome.revertData)
    case 'out_of_gas':
      return { name: 'OutOfGas', message: 'out of gas' }
    case 'funds':
      return { name: 'InsufficientFunds', message: 'insufficient funds' }
    case 'fault':
      return { name: 'Fault', message: outcome.message }
  }
}

/** Errors of the language itself are not the registry's own, though the decoder knows them as well. */
const OF_THE_LANGUAGE: readonly string[] = ['Error', 'Panic']

const registryError = (data: Hex): Reason => {
  try {
    const { errorName, args } = decodeErrorResult({ abi: registryAbi, data })
    if (OF_THE_LANGUAGE.includes(errorName)) return fromRejection(data)
    const values = ((args ?? []) as readonly unknown[]).map(String).join(', ')
    return { name: errorName, message: `${errorName}(${values})` }
  } catch {
    return fromRejection(data)
  }
}

const fromRejection = (data: Hex): Reason => {
  const { name, message } = decodeRejection(data)
  return { name, message: name === 'Error' || name === 'EmptyRevert' ? message : `${name}: ${message}` }
}
