import { Failure } from '#lib/protocol/failure.ts'
import { currentRequest } from '../telemetry/request-scope.ts'
import type { Principal } from './principal.ts'
import type { UsageLedger } from './usage-ledger.ts'

/** Calls of the chain's nodes in about a minute. */
const MAX_OF_VISITOR = 1_200
const MAX_OF_ACCOUNT = 12_000
/**
 * Part of the configured calls a second that all visitors together may cause; the rest is for signed-in accounts.
 * Beyond it, visitors are refused that had more than a share of it.
 */
const VISITORS_PART = 3 / 4
const VISITOR_SHARE = 1 / 16
const VISITORS: Principal = ['visitors']

const RETRY_SECONDS = 20

/** Charges a call of a node to the client of the current request. */
export function chargeNodeCall(ledger: UsageLedger): void {
  const principal = currentRequest()?.principal
  ledger.charge(principal, 'nodeCalls', 1)
  if (principal !== undefined && !isEstablished(principal)) ledger.charge(VISITORS, 'nodeCalls', 1)
}

/**
 * Refuses a request that may need a node when its client caused more calls than it may.
 *
 * @param perSecond Calls of a node a second; undefined for no limit.
 * @throws {Failure} `too_many`
 */
export function requireNodeCalls(
  ledger: UsageLedger,
  principal: Principal | undefined,
  perSecond: number | undefined,
): void {
  if (principal === undefined) return
  const usage = ledger.usage(principal, 'nodeCalls')
  if (usage <= mostCalls(ledger, principal, perSecond)) return
  throw new Failure(
    'too_many',
    `You caused as many requests to the chain as you may in a minute: try again in ${RETRY_SECONDS} seconds`,
    { retryAfterSeconds: RETRY_SECONDS },
  )
}

function mostCalls(ledger: UsageLedger, principal: Principal, perSecond: number | undefined): number {
  if (isEstablished(principal)) return MAX_OF_ACCOUNT
  if (perSecond === undefined) return MAX_OF_VISITOR
  const ofAll = 60 * perSecond * VISITORS_PART
  const isShort = ledger.usage(VISITORS, 'nodeCalls') > ofAll
  return Math.min(MAX_OF_VISITOR, isShort ? ofAll * VISITOR_SHARE : ofAll)
}

/** Fresh accounts, which are free, count as visitors. */
function isEstablished(principal: Principal): boolean {
  return principal.every((key) => key.startsWith('account '))
}
