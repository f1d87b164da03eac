import { expect, test } from 'vitest'
import { chargeNodeCall, requireNodeCalls } from '#lib/platform/limits/node-calls.ts'
import { type Principal, principalOf } from '#lib/platform/limits/principal.ts'
import { UsageLedger } from '#lib/platform/limits/usage-ledger.ts'
import { forRequest } from '#lib/platform/telemetry/request-scope.ts'
import { Failure } from '#lib/protocol/failure.ts'

const established = principalOf('203.0.113.9', { address: '0x1', isEstablished: true })
const fresh = principalOf('203.0.113.1', { address: '0x2' })

/** Calls of clients, at a node of ten calls a second. */
function site() {
  const ledger = new UsageLedger(() => 0)
  return {
    call: (principal: Principal | undefined, times: number) =>
      forRequest({ requestId: '', operation: 'page', principal }, () => {
        for (let n = 0; n < times; n++) chargeNodeCall(ledger)
      }),
    isRefused: (principal: Principal | undefined, perSecond?: number) => {
      try {
        requireNodeCalls(ledger, principal, perSecond)
        return false
      } catch (error) {
        expect(error).toBeInstanceOf(Failure)
        return true
      }
    },
  }
}

test('a visitor that caused too many calls is refused, its fresh accounts as well, and nobody else', () => {
  const { call, isRefused } = site()
  call(['203.0.113.1'], 1_201)
  expect(
    [['203.0.113.1'], fresh, ['203.0.113.2'], established, undefined].map((each) => isRefused(each)),
  ).toEqual([true, true, false, false, false])
})

test('where visitors had their part, those who had most of it are refused; who asked for little is not', () => {
  const { call, isRefused } = site()
  const greedy = ['a', 'b', 'c', 'd'].map((name) => [name])
  for (const each of greedy) call(each, 120)
  call(['little'], 5)
  expect(greedy.map((each) => isRefused(each, 10))).toEqual([true, true, true, true])
  expect([['little'], ['new'], established].map((each) => isRefused(each, 10))).toEqual([false, false, false])
})
