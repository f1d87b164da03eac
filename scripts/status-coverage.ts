/**
 * Prints which documented answers of which operations the tests really reach: `npm run coverage:statuses`. Ends with an
 * error when one is missing.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** One line of what the tests write. */
interface Coverage {
  readonly api: string
  /** Pairs like `GET_user 404`. */
  readonly documented: readonly string[]
  readonly reached: readonly string[]
}

const TESTS = [
  'test/http/statuses.test.ts',
  'test/http/statuses-studio.test.ts',
  'test/services/statuses.test.ts',
]

const folder = mkdtempSync(join(tmpdir(), 'weft-statuses-'))
const file = join(folder, 'coverage.jsonl')
const { status } = spawnSync('npx', ['vitest', 'run', ...TESTS], {
  stdio: ['ignore', process.stderr, process.stderr],
  env: { ...process.env, STATUS_MATRIX_FILE: file },
})
// What was tried twice wrote twice.
const found = new Map(
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line): Coverage => JSON.parse(line) as Coverage)
    .map((coverage) => [coverage.api, coverage]),
)
rmSync(folder, { recursive: true })

let complete = status === 0
for (const { api, documented, reached } of [...found.values()].toSorted((a, b) => (a.api < b.api ? -1 : 1))) {
  const statuses = [...new Set(documented.map((pair) => statusOf(pair)))].toSorted()
  const operations = [...new Set(documented.map((pair) => pair.split(' ')[0] ?? ''))]
  const width = Math.max(...operations.map(({ length }) => length))
  console.log(`\n${api.padEnd(width)}  ${statuses.join(' ')}`)
  for (const operation of operations) {
    const cells = statuses.map((each) => {
      const pair = `${operation} ${each}`
      if (!documented.includes(pair)) return '  ·'
      return reached.includes(pair) ? '  ✓' : '  ✗'
    })
    console.log(`${operation.padEnd(width)}  ${cells.join(' ')}`)
  }
  const covered = documented.filter((pair) => reached.includes(pair)).length
  complete &&= covered === documented.length
  console.log(`${covered} of ${documented.length} documented answers reached`)
}
process.exitCode = complete ? 0 : 1

function statusOf(pair: string): string {
  return pair.split(' ')[1] ?? ''
}
