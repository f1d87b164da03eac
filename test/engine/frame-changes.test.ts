import { expect, test } from 'vitest'
import { compileStep } from '#lib/engine/sequence/loop.ts'
import { specialise } from '#lib/engine/specialise/specialise.ts'
import { createMachine } from '#test/support/machine.ts'
import { answerOf, changedCodes, framedCalls } from './frame-changes.ts'

test('contracts with one instruction changed are left alone, or do what the EVM does', async () => {
  const machine = await createMachine([], 300_000n)
  let specialised = 0
  for (const changed of changedCodes()) {
    const found = specialise(changed.code, changed.args)
    if ('declined' in found) continue
    specialised++
    const step = compileStep(found.source)
    for (const call of await framedCalls(machine, changed)) {
      expect(answerOf(step, call), changed.title).toEqual(call.answer)
    }
  }
  expect(specialised).toBeGreaterThan(200)
})
