import { Failure } from '#lib/protocol/failure.ts'
import { currentRequest } from '../telemetry/request-scope.ts'
import type { Principal } from './principal.ts'
import type { UsageLedger } from './usage-ledger.ts'

/** Calls of the chain's nodes in about a minute. */
const MAX_OF_VISITOR = 1_200
const MAX_OF_ACCOUNT = 12_000
/** Part of the configured calls a second that all visitors together may cause; the rest is for those who are signed in. */
const VISITORS_SHARE = 3 / 4
const VISITORS: Principal = ['visitors']

const RETRY_SECONDS = 20

/** Charges a call of a node to the client of the current request. */
export function chargeNodeCall(ledger: UsageLedger): void {
  const principal = currentRequest()?.principal
  ledger.charge(principal, 'nodeCalls', 1)
  if (principal !== undefined && !isAccount(principal)) ledger.charge(VISITORS, 'nodeCalls', 1)
}

/**
 * Refuses a request that may need a node when its client, or all visitors, caused more calls than they may.
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
  const account = isAccount(principal)
  const isOver = ledger.used(principal, 'nodeCalls') > (account ? MAX_OF_ACCOUNT : MAX_OF_VISITOR)
  const most = perSecond === undefined || account ? Number.POSITIVE_INFINITY : 60 * perSecond * VISITORS_SHARE
  if (!isOver && ledger.used(VISITORS, 'nodeCalls') <= most) return
  throw new Failure(
    'too_many',
    `${isOver ? 'You have' : 'Visitors have'} caused as many requests to the chain as they may in a minute: try again in ${RETRY_SECONDS} seconds`,
    { retryAfterSeconds: RETRY_SECONDS },
  )
}

function isAccount([key = '']: Principal): boolean {
  return key.startsWith('account ')
}
