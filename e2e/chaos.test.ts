import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'

/**
 * Kills a worker, a site and the database, freezes the wire to the chain and fills the disk;
 * `npm run test:chaos -- --rounds 100 --seed 7` for more and other faults.
 */
const ROUNDS = 5
const SEED = 241

test('rounds of kills, cuts and a full disk: nothing lost, nothing doubled, nothing half done', async () => {
  const { code, output } = await run('test/suites/chaos/main.ts', `--rounds=${ROUNDS}`, `--seed=${SEED}`)
  expect(output).toContain(`${ROUNDS} rounds of seed ${SEED}`)
  expect(code, output).toBe(0)
  // The load was not idle.
  for (const what of ['uploads accepted', 'drafts accepted', 'publications confirmed', 'deltas read']) {
    expect(output).toMatch(new RegExp(`  ${what}: [1-9]`))
  }
}, 600_000)

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
