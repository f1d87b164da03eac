import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { z } from 'zod'
import { readJson } from './stack/files.ts'
import { buildSite } from './stack/site-build.ts'

/** One check of the test command. A check without a test runner counts as one test. */
interface Check {
  readonly title: string
  readonly command: readonly [string, ...string[]]
  /** A run of vitest, whose tests are counted. */
  readonly counted?: boolean
}

interface Outcome {
  readonly passed: number
  readonly failed: number
  /** Failures, a line each. */
  readonly failures?: readonly string[]
}

/** Runs first: the other checks read its files. */
const generation: Check = { title: 'Generated files', command: ['node', 'scripts/generate.ts'] }

const quick: readonly Check[] = [
  { title: 'Types', command: ['node', 'node_modules/@typescript/native/bin/tsc', '--noEmit'] },
  { title: 'Format and lint', command: ['biome', 'check', '.'] },
  { title: 'Layers', command: ['npm', 'run', '--silent', 'layers'] },
  { title: 'Dead code', command: ['knip', '--no-progress'] },
  { title: 'Features', command: ['node', 'scripts/features.ts', '--check'] },
  { title: 'OpenAPI document', command: ['npm', 'run', '--silent', 'openapi:lint'] },
  { title: 'Licences', command: ['node', 'scripts/licences.ts'] },
]

/** Printed also when a check passes. */
const WARNINGS = /^Warning: .*$/gm

const tests: Check = { title: 'Tests', command: ['vitest', 'run'], counted: true }

const testsOfProgram: Check = {
  title: 'Tests of the built program',
  command: ['vitest', 'run', '--config', 'vitest.e2e.config.ts'],
  counted: true,
}

/** Schema of vitest's JSON report. */
const countsSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
})
const folder = mkdtempSync(join(tmpdir(), 'weft-counts-'))
const outcomes = [await run(generation)]
// What needs one core or waits for a disk runs beside the tests, which often wait. A build changes types that are checked.
const checks = inTurn(quick).then(buildAfter)
// Its program starts once it is built; the tests of it wait for the others.
const others = join(folder, 'other-tests-ended')
const ended = run(tests).then((outcome) => {
  writeFileSync(others, '')
  return outcome
})
const ofProgram = checks.then(() => run(testsOfProgram, { TESTS_AFTER: others }))
outcomes.push(...(await Promise.all([ended, checks, ofProgram])).flat())
rmSync(folder, { recursive: true, force: true })

const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0)
const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0)
for (const failure of outcomes.flatMap(({ failures }) => failures ?? [])) console.log(`Failed: ${failure}`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

async function inTurn(checks: readonly Check[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const check of checks) outcomes.push(await run(check))
  return outcomes
}

/** A failing build is reported by the tests of the built program, which start with one. */
async function buildAfter(outcomes: Outcome[]): Promise<Outcome[]> {
  const began = performance.now()
  const built = await buildSite(() => {}).then(
    () => true,
    () => false,
  )
  console.log(`${built ? '✓' : '✗'} Build (${secondsSince(began)} s)`)
  return outcomes
}

function secondsSince(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(1)
}

/** @param env Environment variables on top. */
async function run(check: Check, env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const began = performance.now()
  const countsFile = join(folder, `${check.title.replaceAll(' ', '-')}.json`)
  const { code, output } = await execute(check, countsFile, env)
  if (!check.counted)
    for (const text of code === 0 ? (output.match(WARNINGS) ?? []) : [output]) console.log(text)
  console.log(`${code === 0 ? '✓' : '✗'} ${check.title} (${secondsSince(began)} s)`)
  if (code === 0 && !check.counted) return { passed: 1, failed: 0 }
  const counts = check.counted ? countsSchema.safeParse(readJson(countsFile)) : undefined
  if (!counts?.success) return { passed: 0, failed: 1, failures: [`${check.title}, see above`] }
  const { numPassedTests: passed, numFailedTests: failed } = counts.data
  if (code === 0 || failed > 0) return { passed, failed, failures: failuresOf(counts.data) }
  // A run may fail without a failing test, for instance when nothing was found to run.
  return { passed, failed: 1, failures: [...failuresOf(counts.data), `${check.title}, see above`] }
}

/** One line for each failed test, and for each file that failed outside its tests. */
function failuresOf({ testResults }: z.infer<typeof countsSchema>): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(process.cwd(), name)
    const failed = assertionResults.filter((result) => result.status === 'failed')
    if (status === 'failed' && failed.length === 0) return [`${file}: ${firstLine(message)}`]
    return failed.map((test) => `${file} > ${test.fullName}: ${firstLine(test.failureMessages?.[0])}`)
  })
}

function firstLine(text = ''): string {
  return text.split('\n', 1)[0] ?? ''
}

/** Output is shown as it comes for the long runs, and only on failure for the quick ones. */
function execute(
  check: Check,
  countsFile: string,
  env: Readonly<Record<string, string>>,
): Promise<{ code: number; output: string }> {
  const [command, ...args] = check.command
  if (check.counted) args.push('--reporter=default', '--reporter=json', `--outputFile.json=${countsFile}`)
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: check.counted ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      // The tests start many programs, each of which strips and compiles the same modules.
      env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled'), ...env },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    }
    child.on('error', (error) => resolve({ code: 1, output: `${command}: ${error.message}` }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
