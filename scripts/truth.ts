/**
 * Compares random connectors on the model, our engines, the reference EVM and a chain, and writes the number into the README and
 * `docs/truth.json`, which `/status` shows: `npm run truth -- --cases 1000 --seed 7`.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
})
const [cases, seed] = [Number(values.cases), Number(values.seed)]
if (!Number.isInteger(cases) || cases < 10 || !Number.isInteger(seed)) {
  throw new Error('--cases is a whole number of at least 10, --seed a whole number')
}
const root = fileURLToPath(new URL('..', import.meta.url))
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--retry', '0', 'test/differential/differential.test.ts'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, DIFFERENTIAL_CASES: String(cases), DIFFERENTIAL_SEED: String(seed) },
  },
)
if (status === 0) write()
else {
  console.error('A difference, or a failure: nothing is written. The output above has the smallest case.')
  process.exitCode = 1
}

function write(): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  const date = new Date().toISOString().slice(0, 10)
  writeFileSync(`${root}docs/truth.json`, `${JSON.stringify({ cases, seed, date, commit }, null, 2)}\n`)
  const path = `${root}README.md`
  const number = cases.toLocaleString('en')
  const line =
    `<!-- truth -->Of ${number} runs of random connectors, all ${number} gave the same on a model, our engine, the Runner in a ` +
    `reference EVM and a chain (${date}, seed ${seed}, commit ${commit}; \`npm run truth\`).<!-- /truth -->`
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(/<!-- truth -->.*?<!-- \/truth -->/s, () => line),
  )
}
