import { expect, test } from 'vitest'
import { translate } from '#lib/engine/translate/translate.ts'
import { Declined } from '#lib/engine/types.ts'
import { createMachine } from '#test/support/machine.ts'
import { vmCases } from './vm-cases.ts'

const ADDRESS = `0x${'22'.repeat(20)}` as const

test('every translated opcode gives at its edges what the EVM gives', async () => {
  const machine = await createMachine([], 10_000_000n)
  const cases = vmCases()
  const titles = { equal: 0, declined: [] as string[] }
  for (const { title, code, calldata } of cases) {
    await machine.put(ADDRESS, `0x${code}`)
    const exact = await machine.call(ADDRESS, `0x${calldata}`)
    let translated: string
    try {
      const outcome = translate(Buffer.from(code, 'hex'))?.call(Buffer.from(calldata, 'hex'), {
        steps: 1_000_000,
      })
      if (outcome === undefined) throw new Error(`${title}: not translated`)
      const bytes = outcome.status === 'returned' ? outcome.output : outcome.data
      translated = `${outcome.status} ${Buffer.from(bytes).toString('hex')}`
    } catch (error) {
      if (!(error instanceof Declined)) throw error
      // What uses up all gas is for the exact engine.
      expect.soft(exact.status === 'returned', title).toBe(false)
      titles.declined.push(title)
      continue
    }
    titles.equal++
    const expected =
      exact.status === 'returned'
        ? `returned ${Buffer.from(exact.output).toString('hex')}`
        : `reverted ${exact.status === 'reverted' ? exact.revertData.slice(2) : exact.status}`
    expect.soft(translated, title).toBe(expected)
  }
  expect(titles.equal).toBeGreaterThan(350)
  expect(titles.declined.length).toBeLessThan(15)
})
