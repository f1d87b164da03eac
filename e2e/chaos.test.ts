import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { drawn, SEED, TIMES } from '#test/support/slice.ts'

const ROUNDS = drawn(5)
/** Its five rounds kill a worker, a site and the database, freeze the wire to the chain and fill the disk. */
const EVERY_FAULT = 241
const seed = TIMES > 1 ? SEED : EVERY_FAULT

test('rounds of kills, cuts and a full disk: nothing lost, nothing doubled, nothing half done', async () => {
  const { code, output } = await run('test/suites/chaos/main.ts', `--rounds=${ROUNDS}`, `--seed=${seed}`)
  expect(output).toContain(`${ROUNDS} rounds of seed ${seed}`)
  expect(code, output).toBe(0)
  // The load was not idle.
  for (const what of ['uploads accepted', 'drafts accepted', 'publications confirmed', 'deltas read']) {
    expect(output).toMatch(new RegExp(`  ${what}: [1-9]`))
  }
})

function run(...args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })))
}
