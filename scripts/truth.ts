/**
 * Compares runs on our engines, as servers and as pages have them, the reference EVM and a chain, and writes the number into
 * the README and `docs/truth.json`, which `/status` shows: `npm run truth -- --cases 1000 --seed 7`. Four of five are of random
 * connectors, which a model computes too; the others are of changed and random code, and of bodies that look around.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
})
const [cases, seed] = [Number(values.cases), Number(values.seed)]
if (!Number.isInteger(cases) || cases < 100 || cases % 100 !== 0 || !Number.isInteger(seed)) {
  throw new Error('--cases is a multiple of 100, --seed a whole number')
}
const FILES = ['test/suites/differential/differential.test.ts', 'test/suites/differential/bytecode.test.ts']
const root = fileURLToPath(new URL('..', import.meta.url))
// Before the runs, which take long: the tree may move on meanwhile.
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...FILES], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    // They take 80, 15 and 5 once.
    TESTS_TIMES: String(cases / 100),
    TESTS_SEED: String(seed),
  },
})
if (status === 0) write()
else {
  console.error('A difference, or a failure: nothing is written. The output above has the smallest case.')
  process.exitCode = 1
}

function write(): void {
  const date = new Date().toISOString().slice(0, 10)
  writeFileSync(`${root}docs/truth.json`, `${JSON.stringify({ cases, seed, date, commit }, null, 2)}\n`)
  const path = `${root}README.md`
  const number = cases.toLocaleString('en')
  const line =
    `<!-- truth -->Of ${number} runs, four in five of random connectors, the others of arbitrary code, all ${number} gave the same on ` +
    `our engine, as servers and as pages have it, the Runner in a reference EVM and a chain (${date}, seed ${seed}, commit ${commit}; \`npm run truth\`).<!-- /truth -->`
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(/<!-- truth -->.*?<!-- \/truth -->/s, () => line),
  )
}
