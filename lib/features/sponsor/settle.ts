import { connectChain, type VerifiedChain } from '#lib/chain/access.ts'
import type { Services } from '#lib/core/context/context.ts'
import { verifiedChain } from '#lib/core/context/verified-chain.ts'
import {
  type ChainHead,
  chainHead,
  readReceipt,
  readTransaction,
} from '#lib/core/entities/publication/chain-state.ts'
import { broadcast } from '#lib/core/entities/publication/send.ts'
import {
  pendingTransactions,
  recordCost,
  recordDropped,
  sponsorAddress,
} from '#lib/core/entities/publication/sponsor-budget.ts'
import { createDatabase } from '#lib/platform/db/client.ts'
import { repeat } from '#lib/platform/repeat.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'

/** Seconds after its deadline at which a transaction that no node knows is given up. */
const GIVE_UP_SECONDS = 600
const INTERVAL_MS = 15_000

type Parts = Pick<Services, 'db' | 'config' | 'clock' | 'log'>

/** Reads what became of pending transactions of the sponsor, and sends again what no node knows. */
export async function settle(
  parts: Parts,
  chain: VerifiedChain,
  sponsor: Address,
  head: ChainHead,
): Promise<void> {
  for (const { txHash, raw, deadline, reserved } of await pendingTransactions(parts, sponsor)) {
    const receipt = await readReceipt(chain.public, txHash)
    if (receipt !== undefined) {
      await recordCost(parts, receipt)
      continue
    }
    if ((await readTransaction(chain.public, txHash)) !== undefined) continue
    if (Number(head.timestamp) > deadline + GIVE_UP_SECONDS) await recordDropped(parts, txHash, reserved)
    else if (raw !== null) {
      // Refused where its nonce is used: given up after its deadline.
      await broadcast(chain, txHash, raw).catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error
        parts.log.warn({ err: error, tx: txHash }, 'a sponsored transaction could not be sent again')
      })
    }
  }
}

/**
 * Settles what is pending. A client that leaves before its transaction is mined confirms nothing, and a transaction that
 * seems to wait holds up everybody's.
 */
export async function settlePending(parts: Parts & Pick<Services, 'chain'>): Promise<void> {
  const { key } = parts.config.sponsor
  if (key === undefined || parts.chain === undefined) return
  const sponsor = sponsorAddress(key)
  if ((await pendingTransactions(parts, sponsor)).length === 0) return
  const chain = await verifiedChain(parts)
  await settle(parts, chain, sponsor, await chainHead(chain.public))
}

/** Settles every 15 seconds until the signal; at once without a sponsor. Logs failures and retries. */
export async function settleSponsored(
  { config, log, clock }: Pick<Services, 'config' | 'log' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  if (config.sponsor.key === undefined) return
  const db = createDatabase(config.databaseUrl, { max: 1 })
  const chain = await connectChain({ ...config, chainRpcUrl: config.workerRpcUrl ?? config.chainRpcUrl })
  const message = 'Failed to settle sponsored transactions, retrying'
  await repeat(signal, { log, message, retryMs: INTERVAL_MS }, async () => {
    await settlePending({ db, config, clock, log, chain })
    return INTERVAL_MS
  })
  await db.close()
}
