import { toHex } from 'viem'
import type { Address, Hash, Hex } from '#lib/protocol/entity.ts'

/*
 * Batches of calls (EIP-5792, version 2.0.0). Wallets are not trusted: each answer has a time limit, and only a few
 * fields of it are read, by hand. What a batch did is decided by the chain.
 */

export type BatchStatus =
  | { readonly is: 'pending' }
  /** The wallet says that it is mined. */
  | { readonly is: 'mined'; readonly txHash: Hash }
  /** The wallet gave it up, or it reverted. */
  | { readonly is: 'failed'; readonly why: 'not_sent' | 'reverted' }
  /** The wallet does not know the batch, or says nothing that can be read. */
  | { readonly is: 'unknown' }

/** Abilities of a wallet for batches of an account on the site's chain. */
export interface Batches {
  /** Takes the address of a paymaster (ERC-7677). */
  readonly paymaster: boolean
  /** A contract wallet that its first transaction deploys: until then no contract accepts its signatures. */
  readonly undeployed: boolean
  /**
   * @param id Chosen by the page, so that the batch can be asked for where the answer is lost.
   * @returns the id that the wallet goes by.
   */
  send(id: Hex, call: BatchCall): Promise<string>
  /** Never rejects. */
  status(id: string): Promise<BatchStatus>
}

export interface BatchCall {
  readonly to: Address
  readonly data: Hex
  readonly value: Hex
}

type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>

const ANSWER_MS = 5_000
/** Longest id of the standard, in characters. */
const MAX_ID = 8194

/** A new id of a batch. */
export function newBatchId(): Hex {
  return toHex(crypto.getRandomValues(new Uint8Array(32)))
}

/**
 * Reads the capabilities of a wallet, without a prompt.
 *
 * @param paymasterUrl Passed to wallets that take one.
 * @param answerMs Time limit of what needs no prompt.
 * @returns undefined for wallets that take no batches on this chain.
 */
export async function readBatches(
  ask: Ask,
  account: Address,
  chainId: number,
  paymasterUrl: string | null,
  answerMs = ANSWER_MS,
): Promise<Batches | undefined> {
  const inTime = <T>(answer: Promise<T>) => within(answer, answerMs)
  const chain = toHex(chainId)
  const all = await inTime(ask('wallet_getCapabilities', [account, [chain]])).catch(() => undefined)
  // `0x0` stands for every chain.
  const capability = (name: string, field: string) =>
    fieldOf(fieldOf(fieldOf(all, chain), name), field) ?? fieldOf(fieldOf(fieldOf(all, '0x0'), name), field)
  const atomic = capability('atomic', 'status')
  if (atomic !== 'supported' && atomic !== 'ready') return undefined
  const paymaster = paymasterUrl !== null && capability('paymasterService', 'supported') === true
  // An account of a key that can run batches atomically has code, too (EIP-7702).
  const undeployed =
    atomic === 'supported' &&
    (await inTime(ask('eth_getCode', [account, 'latest'])).catch(() => undefined)) === '0x'
  return {
    paymaster,
    undeployed,
    async send(id, { to, data, value }) {
      const answer = await ask('wallet_sendCalls', [
        {
          version: '2.0.0',
          id,
          from: account,
          chainId: chain,
          // One call is atomic by itself, so that no wallet has to change the account for it.
          atomicRequired: false,
          calls: [{ to, data, value }],
          ...(paymaster && { capabilities: { paymasterService: { url: paymasterUrl, optional: true } } }),
        },
      ])
      const batchId = fieldOf(answer, 'id')
      return typeof batchId === 'string' && batchId.length > 0 && batchId.length <= MAX_ID ? batchId : id
    },
    async status(id) {
      try {
        return readStatus(await inTime(ask('wallet_getCallsStatus', [id])))
      } catch {
        return { is: 'unknown' }
      }
    },
  }
}

function readStatus(answer: unknown): BatchStatus {
  const code = fieldOf(answer, 'status')
  if (typeof code !== 'number') return { is: 'unknown' }
  if (code >= 100 && code < 200) return { is: 'pending' }
  if (code >= 400 && code < 500) return { is: 'failed', why: 'not_sent' }
  if (code >= 500 && code < 600) return { is: 'failed', why: 'reverted' }
  if (code < 200 || code >= 300) return { is: 'unknown' }
  const receipts = fieldOf(answer, 'receipts')
  // One call is one transaction; wallets that add others put ours last.
  const hash = Array.isArray(receipts) ? fieldOf(receipts.at(-1), 'transactionHash') : undefined
  return typeof hash === 'string' && /^0x[0-9a-fA-F]{64}$/.test(hash)
    ? { is: 'mined', txHash: hash.toLowerCase() as Hash }
    : { is: 'unknown' }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

function within<T>(answer: Promise<T>, milliseconds: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The wallet does not answer')), milliseconds)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
