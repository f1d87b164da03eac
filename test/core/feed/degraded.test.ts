import { expect, test } from 'vitest'
import { degradedReasons, type FeedFacts } from '#lib/core/feed/degraded.ts'

const well: FeedFacts = {
  configured: true,
  nodeAnswers: true,
  otherChain: undefined,
  followsConfigured: true,
  started: true,
  hasWriter: true,
  writerProblem: undefined,
  frozenReason: undefined,
  nodeBehind: false,
  lagBlocks: 0,
  lagSeconds: 0,
  lagLimitSeconds: 60,
}

test('no reasons for a healthy feed', () => expect(degradedReasons(well)).toEqual([]))

for (const [code, facts] of [
  ['no_chain', { configured: false }],
  ['node_unavailable', { nodeAnswers: false }],
  ['other_registry', { followsConfigured: false }],
  ['not_started', { started: false, hasWriter: false }],
  ['no_writer', { hasWriter: false }],
  ['cannot_write', { writerProblem: { code: 'cannot_write', sentence: 'the disk is full' } }],
  ['beyond_finality', { frozenReason: 'another chain' }],
  ['node_behind', { nodeBehind: true }],
  ['wrong_chain', { otherChain: { served: 1, configured: 31_337 } }],
  ['disk_full', { writerProblem: { code: 'disk_full', sentence: 'the disk of the database is full' } }],
  ['heads_silent', { writerProblem: { code: 'heads_silent', sentence: 'the node announces no blocks' } }],
  ['lagging', { lagBlocks: 1, lagSeconds: 61 }],
] as const) {
  test(`${code} is a sentence with a fix`, () => {
    const reasons = degradedReasons({ ...well, ...facts })
    expect(reasons.map((reason) => reason.code)).toEqual([code])
    for (const text of [reasons[0]?.sentence, reasons[0]?.fix]) expect(text).toMatch(/^[A-Z].*\.$/)
  })
}
