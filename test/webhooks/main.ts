/**
 * Kills a process that delivers webhooks, again and again: `npm run test:webhooks -- --rounds 10000 --seed 7`. Ends with 0
 * when nothing was lost and nothing came out of order, else with 1.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { killChildren } from '../../scripts/stack/child.ts'
import { copyOfTemplate } from '../support/database.ts'
import { startSharedServices } from '../support/shared-services.ts'
import { killRounds } from './kill-rounds.ts'

process.on('exit', killChildren)

const PATIENCE_MS = 120_000

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } },
})

const folder = mkdtempSync(join(tmpdir(), 'weft-webhooks-'))
const shared = startSharedServices(folder)
try {
  const db = await copyOfTemplate(await shared.database())
  const began = performance.now()
  const { violations, ...counts } = await killRounds(db, {
    rounds: Number(values.rounds),
    seed: Number(values.seed),
    patienceMs: PATIENCE_MS,
    onRound: (round, received) => {
      if (round % 100 === 0) console.log(`round ${round}: ${received} requests so far`)
    },
  })
  const aMinute = Number(values.rounds) / ((performance.now() - began) / 60_000)
  console.log({ ...counts, roundsAMinute: Math.round(aMinute) })
  for (const violation of violations) console.log(`VIOLATION: ${violation}`)
  process.exitCode = violations.length === 0 ? 0 : 1
  await db.close()
} finally {
  await shared.close()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
