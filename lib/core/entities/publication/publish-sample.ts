import { randomInt } from 'node:crypto'
import { mnemonicToAccount } from 'viem/accounts'
import type { Context } from '#lib/core/context/context.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { createCode } from '../create-code.ts'
import { confirm } from './confirm.ts'
import { prepare } from './prepare.ts'
import { send } from './send.ts'

/** The second of the accounts that every development chain knows; the first owns the example network. */
const SAMPLE_ACCOUNT = { mnemonic: 'test test test test test test test test test test test junk', index: 1 }

const BODIES = [
  'return x + 7;',
  'return x * 3 % 101;',
  'return x ^ 5;',
  'return x / 2 + 11;',
  'return 127 - x % 127;',
] as const

const LETTERS = 'abcdefghijkmnpqrstuvwxyz'

/**
 * Publishes a new small transformation on the development chain, signed by one of its well-known accounts.
 *
 * @returns its name.
 * @throws Failure when any step of drafting or publishing fails.
 */
export async function publishSample(ctx: Context): Promise<string> {
  const account = mnemonicToAccount(SAMPLE_ACCOUNT.mnemonic, { addressIndex: SAMPLE_ACCOUNT.index })
  const owner: Context = { ...ctx, caller: account.address.toLowerCase() as Address }
  const name = `sample_${Array.from({ length: 5 }, () => LETTERS[randomInt(LETTERS.length)]).join('')}`
  const kind = 'transformation'
  await createCode(owner, 'transformation', { name, source: BODIES[randomInt(BODIES.length)] as string })

  const prepared = await prepare(owner, { kind, name, relay: true })
  if (prepared.status !== 'prepared' || prepared.signing === undefined) {
    throw new Failure('registry_conflict', `${name} is published already: try again`)
  }
  const { to, data, gas, chainId, contentHash, signing } = prepared
  const rawTx = await account.signTransaction({
    type: 'eip1559',
    chainId,
    to,
    data,
    gas,
    nonce: Number(signing.nonce),
    maxFeePerGas: signing.maxFeePerGas,
    maxPriorityFeePerGas: signing.maxPriorityFeePerGas,
    value: 0n,
  })
  const txHash = await send(owner, { kind, name, contentHash, rawTx })
  try {
    await confirm(owner, { kind, name, contentHash, txHash })
  } catch (error) {
    // Not mined yet: the worker completes the record.
    if (!(error instanceof Failure && error.code === 'pending')) throw error
  }
  return name
}
