import { numberToHex } from 'viem'
import type { ChainAccess } from '../chain/access.ts'

/** What the node says about itself, as far as the lag is concerned. */
export interface NodeView {
  readonly chainId: number
  readonly head: number
  /** Unix milliseconds of the first block after the processed one; undefined when there is none. */
  readonly nextBlockMs: number | undefined
}

const FRESH_MS = 1_000
const PATIENCE_MS = 2_000

interface Remembered {
  readonly processed: number | null
  readonly atMs: number
  readonly view: Promise<NodeView | undefined>
}

/** However many ask for the status, the node is asked once a second. */
const remembered = new WeakMap<ChainAccess, Remembered>()

/** @returns undefined when the node does not answer within two seconds. */
export const viewNode = (chain: ChainAccess, processed: number | null): Promise<NodeView | undefined> => {
  const last = remembered.get(chain)
  const atMs = performance.now()
  if (last && last.processed === processed && atMs - last.atMs < FRESH_MS) return last.view
  const view = withinPatience(ask(chain, processed))
  remembered.set(chain, { processed, atMs, view })
  return view
}

const ask = async ({ public: client }: ChainAccess, processed: number | null): Promise<NodeView> => {
  // In one batch: two answers of one moment.
  const [chainId, latest, next] = await Promise.all([
    client.request({ method: 'eth_chainId' }),
    client.request({ method: 'eth_getBlockByNumber', params: ['latest', false] }),
    processed === null
      ? null
      : client.request({ method: 'eth_getBlockByNumber', params: [numberToHex(processed + 1), false] }),
  ])
  if (latest?.number == null) throw new Error('the node has no latest block')
  return {
    chainId: Number(chainId),
    head: Number(latest.number),
    nextBlockMs: next ? Number(next.timestamp) * 1000 : undefined,
  }
}

const withinPatience = async (view: Promise<NodeView>): Promise<NodeView | undefined> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE_MS)
  })
  try {
    return await Promise.race([view, late])
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
