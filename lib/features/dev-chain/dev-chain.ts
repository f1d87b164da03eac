import { numberToHex, type PublicClient } from 'viem'
import { readProvider } from '#lib/chain/provider.ts'
import { type ChainServices, isOurDevChain, mayBeOurDevChain } from '#lib/core/context/own-dev-chain.ts'
import { verifiedChain } from '#lib/core/context/verified-chain.ts'
import { parseAddress } from '#lib/protocol/address.ts'
import { isDevChainId } from '#lib/protocol/dev-chain.ts'
import type { Hash, Hex } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'

/** Blocks that one request may mine or replace. */
export const MAX_DEV_BLOCKS = 64

/**
 * Returns a client of the development chain once the node confirmed its id; undefined on every other chain.
 *
 * @throws Failure('chain_unavailable') when it does not answer.
 */
export async function openDevChain(ctx: ChainServices): Promise<PublicClient | undefined> {
  // No request to remote nodes.
  const { chainId } = ctx.config
  if (ctx.chain === undefined || !mayBeOurDevChain(ctx) || (chainId !== undefined && !isDevChainId(chainId)))
    return undefined
  const chain = await verifiedChain(ctx)
  return isOurDevChain(ctx, chain.chainId) ? chain.public : undefined
}

/** A request outside viem's list of methods. @throws Failure('chain_unavailable') */
export async function requestNode(
  client: PublicClient,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  return readProvider(`run ${method} on the development chain`, () =>
    client.request({ method: method as 'eth_chainId', params: params as never }),
  )
}

/**
 * Mines empty blocks on the development chain.
 *
 * @param blocks 1..64.
 * @throws Failure('invalid_request'), Failure('chain_unavailable').
 */
export async function mineBlocks(client: PublicClient, blocks: number): Promise<void> {
  if (!Number.isInteger(blocks) || blocks < 1 || blocks > MAX_DEV_BLOCKS) {
    throw new Failure('invalid_request', `Blocks to mine must be a whole number from 1 to ${MAX_DEV_BLOCKS}`)
  }
  await requestNode(client, 'anvil_mine', [numberToHex(blocks)])
}

export interface Reorganisation {
  /** Blocks to replace, from the head down; none of them finalized. */
  readonly depth: number
  /** Mine the transactions of the replaced blocks again, instead of dropping them. */
  readonly keepTransactions: boolean
}

/**
 * Reorgs the newest blocks of the development chain.
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
  const raws = keepTransactions ? await rawTransactions(client, head - depth + 1, head) : []
  await requestNode(client, 'anvil_reorg', [depth, raws.map((raw) => [raw, 0])])
}

async function height(client: PublicClient, tag: 'latest' | 'finalized'): Promise<number> {
  const block = (await requestNode(client, 'eth_getBlockByNumber', [tag, false])) as { number: Hex } | null
  return Number(block?.number ?? 0)
}

/** In chain order. */
async function rawTransactions(client: PublicClient, from: number, to: number): Promise<Hex[]> {
  const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i)
  const blocks = await Promise.all(
    numbers.map(
      (number) =>
        requestNode(client, 'eth_getBlockByNumber', [numberToHex(number), false]) as Promise<{
          transactions: Hash[]
        }>,
    ),
  )
  const raws = await Promise.all(
    blocks
      .flatMap(({ transactions }) => transactions)
      .map((hash) => requestNode(client, 'eth_getRawTransactionByHash', [hash]) as Promise<Hex | null>),
  )
  return raws.filter((raw) => raw !== null)
}

const ETHER = 10n ** 18n
/** Balance below which an account is topped up. */
const MIN_BALANCE = 5n * ETHER
const TOPPED_UP = 100n * ETHER

/**
 * Tops up an account on the development chain to 100 ether if it has less than 5.
 *
 * @throws Failure('invalid_request') for what is no address, Failure('chain_unavailable').
 */
export async function fundAccount(client: PublicClient, text: string): Promise<void> {
  const address = parseAddress(text)
  if (address === undefined) {
    throw new Failure('invalid_request', 'The account must be an address: 0x and 40 hex digits')
  }
  const balance = BigInt((await requestNode(client, 'eth_getBalance', [address, 'latest'])) as Hex)
  if (balance < MIN_BALANCE) await requestNode(client, 'anvil_setBalance', [address, numberToHex(TOPPED_UP)])
}
