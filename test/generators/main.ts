/**
 * Generates clients from the documents that a running site serves, compiles them strictly and calls ten operations with
 * each: `npm run test:generators`, with the site in `WEFT`. Needs a registry of packages; the Python one needs Java.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { EXPECTED, GENERATORS, type Generator, PYTHON } from './calls.ts'

const APIS = ['chain', 'services'] as const
const COMPILER = resolve('node_modules/@typescript/native/bin/tsc')
const TYPE_ROOTS = resolve('node_modules/@types')
const site = (process.env.WEFT ?? 'http://localhost:3000').replace(/\/$/, '')

/** The end of what a program said, when it failed. */
class Failed extends Error {}

function run(folder: string, command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, SCARF_ANALYTICS: 'false', DO_NOT_TRACK: '1' },
    maxBuffer: 2 ** 26,
  })
  if (status === 0) return stdout
  throw new Failed(error?.message ?? `${stdout}\n${stderr}`.trim().split('\n').slice(-12).join('\n'))
}

function prepare(parent: string, packages: readonly string[]): string {
  const folder = mkdtempSync(join(parent, 'client-'))
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  run(folder, 'npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages)
  for (const api of APIS) copyFileSync(join(parent, `${api}.json`), join(folder, `${api}.json`))
  return folder
}

async function typescript(folder: string, generator: Generator): Promise<string> {
  for (const api of APIS) {
    const config = generator.config?.(api, `${site}/${api}`)
    if (config !== undefined) writeFileSync(join(folder, config.file), config.text)
    run(folder, 'npx', ...generator.command(api))
  }
  writeFileSync(join(folder, 'calls.ts'), generator.program(site))
  const compilerOptions = {
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    module: 'preserve',
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: ['node'],
    typeRoots: [TYPE_ROOTS],
    allowImportingTsExtensions: true,
  }
  const include = ['calls.ts', ...APIS, ...APIS.map((api) => `${api}.d.ts`)]
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }))
  run(folder, process.execPath, COMPILER, '-p', '.')
  await build({
    stdin: {
      contents: `import { calls } from './calls.ts'
for (const call of calls) console.log(JSON.stringify(await call()))`,
      resolveDir: folder,
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: join(folder, 'calls.mjs'),
    logLevel: 'silent',
  })
  return run(folder, process.execPath, 'calls.mjs')
}

function python(folder: string): string {
  for (const api of APIS) {
    mkdirSync(join(folder, api))
    const options = ['-i', `${api}.json`, '-o', api, '--package-name', `weft_${api}`]
    run(folder, 'java', '-jar', PYTHON.jar, 'generate', '-g', 'python', ...options)
    run(folder, 'python3', '-m', 'compileall', '-q', join(api, `weft_${api}`))
  }
  writeFileSync(join(folder, 'calls.py'), PYTHON.program(site))
  return run(folder, 'python3', 'calls.py')
}

/** @throws Failed unless all ten answered as they should, and a simulation as an execution. */
function judge(output: string): string {
  const answers = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as [number, unknown])
  const statuses = answers.map(([status]) => status)
  if (statuses.join() !== EXPECTED.join()) throw new Failed(`answered ${statuses.join(' ')}\n${output}`)
  const [simulated, executed] = [answers[7], answers[8]].map((answer) => JSON.stringify(answer?.[1]))
  if (simulated === undefined || simulated !== executed) throw new Failed(`${simulated} and ${executed}`)
  return `compiles, ${answers.length} of ${EXPECTED.length} operations`
}

const parent = mkdtempSync(join(tmpdir(), 'weft-generators-'))
try {
  for (const api of APIS) {
    const response = await fetch(`${site}/${api}/openapi.json`)
    writeFileSync(join(parent, `${api}.json`), await response.text())
  }
  const attempts = [
    ...GENERATORS.map((generator) => ({
      ...generator,
      play: (folder: string) => typescript(folder, generator),
    })),
    { ...PYTHON, play: async (folder: string) => python(folder) },
  ]
  for (const { name, packages, play } of attempts) {
    try {
      console.log(`${name}: ${judge(await play(prepare(parent, packages)))} (${packages[0]})`)
    } catch (error) {
      process.exitCode = 1
      console.log(`${name}: FAILED\n${error instanceof Error ? error.message : error}`)
    }
  }
} finally {
  rmSync(parent, { recursive: true, force: true })
}
