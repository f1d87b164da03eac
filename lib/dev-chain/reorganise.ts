import { numberToHex, type PublicClient } from 'viem'
import type { Hash, Hex } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { askNode, MAX_DEV_BLOCKS } from './dev-chain.ts'

export interface Reorganisation {
  /** Blocks to replace, from the head down; must leave what is finalized alone. */
  readonly depth: number
  /** Put the transactions of the lost blocks into the first of the new ones, instead of dropping them. */
  readonly keepTransactions: boolean
}

/**
 * Replaces the newest blocks of the development chain by others.
 *
 * @throws Failure('invalid_request') for a depth that is none or that reaches a finalized block,
 *   Failure('chain_unavailable').
 */
export async function reorganise(client: PublicClient, input: Reorganisation): Promise<void> {
  const { depth, keepTransactions } = input
  if (!Number.isInteger(depth) || depth < 1 || depth > MAX_DEV_BLOCKS) {
    throw new Failure('invalid_request', `Depth must be a whole number from 1 to ${MAX_DEV_BLOCKS}`)
  }
  const [head, finalized] = await Promise.all([height(client, 'latest'), height(client, 'finalized')])
  const deepest = head - finalized
  if (depth > deepest) {
    throw new Failure(
      'invalid_request',
      deepest === 0
        ? 'Every block is finalized: mine one or two first'
        : `The newest ${deepest} blocks are not finalized yet; reorganising ${depth} would rewrite a finalized one`,
    )
  }
  const kept = keepTransactions ? await rawTransactions(client, head - depth + 1, head) : []
  await askNode(client, 'anvil_reorg', [depth, kept.map((raw) => [raw, 0])])
}

async function height(client: PublicClient, tag: 'latest' | 'finalized'): Promise<number> {
  const block = (await askNode(client, 'eth_getBlockByNumber', [tag, false])) as { number: Hex } | null
  return Number(block?.number ?? 0)
}

/** In chain order. */
async function rawTransactions(client: PublicClient, from: number, to: number): Promise<Hex[]> {
  const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i)
  const blocks = await Promise.all(
    numbers.map(
      (number) =>
        askNode(client, 'eth_getBlockByNumber', [numberToHex(number), false]) as Promise<{
          transactions: Hash[]
        }>,
    ),
  )
  const raws = await Promise.all(
    blocks
      .flatMap(({ transactions }) => transactions)
      .map((hash) => askNode(client, 'eth_getRawTransactionByHash', [hash]) as Promise<Hex | null>),
  )
  return raws.filter((raw) => raw !== null)
}
