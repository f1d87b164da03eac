/**
 * Mutates the engine's specialiser and translator, and counts the mutants that its tests notice:
 * `npm run test:mutation -- --sample 150 --seed 7`. Exits with 1 below 90 %.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { build } from 'esbuild'
import { engineChecks } from './cases.ts'
import type { Checks } from './checks.ts'
import { equivalence } from './equivalents.ts'
import { type Mutant, mutantsOf, sampled } from './mutants.ts'

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '150' },
    seed: { type: 'string', default: '1' },
    /** Mutants at a time. */
    jobs: { type: 'string', default: '2' },
  },
})
const [sample, seed] = [Number(values.sample), Number(values.seed)]
if (!Number.isInteger(sample) || sample < 1 || !Number.isInteger(seed)) {
  throw new Error('--sample is a whole number of at least 1, --seed a whole number')
}
const FOLDERS = ['lib/engine/specialise', 'lib/engine/translate']
/** Processor time after which a mutant never ends: the tests take three seconds of it. */
const MOST_MICROSECONDS = 30_000_000
const LOOK_MS = 2000

const checks = await engineChecks()
const unchanged = await failureOf(undefined)
if (unchanged !== undefined) throw new Error(`The engine as it is fails: ${unchanged}`)
const all = FOLDERS.flatMap((folder) =>
  readdirSync(folder)
    .sort()
    .flatMap((name) => mutantsOf(join(folder, name))),
)
const noticeable = all.filter((mutant) => equivalence(mutant) === undefined)
const mutants = sampled(noticeable, sample, seed)
const left = mutants.values()
let [tried, killed] = [0, 0]
await Promise.all(Array.from({ length: Number(values.jobs) }, tryMutants))
const share = ((100 * killed) / mutants.length).toFixed(1)
console.log(
  `${killed} of ${mutants.length} mutants are noticed (${share} %), of ${noticeable.length}; seed ${seed}; ` +
    `${all.length - noticeable.length} more are explained in equivalents.ts`,
)
if (killed < 0.9 * mutants.length) process.exitCode = 1

/** Tries one mutant after another, as long as there are some. */
async function tryMutants(): Promise<void> {
  for (const mutant of left) {
    if ((await failureOf(mutant)) !== undefined) killed++
    else {
      const { file, line, kind, before, text } = mutant
      console.log(`survived: ${file}:${line} ${kind}: ${before.split('\n')[0]?.slice(0, 60)} -> ${text}`)
    }
    tried++
    if (tried % 25 === 0) console.log(`${killed} of ${tried}`)
  }
}

/** What the tests say of the engine with a change; undefined when they pass. */
async function failureOf(mutant: Mutant | undefined): Promise<string | undefined> {
  const { outputFiles } = await build({
    entryPoints: ['test/mutation/checks.ts'],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
    plugins: [
      {
        name: 'mutant',
        setup: ({ onLoad }) => {
          onLoad({ filter: /lib\/engine\/.*\.ts$/ }, ({ path }) =>
            mutant && path.endsWith(mutant.file) ? { contents: mutant.source(), loader: 'ts' } : undefined,
          )
        },
      },
    ],
  })
  // Neither of the two is part of the other.
  const part =
    mutant === undefined
      ? {}
      : mutant.file.includes('specialise')
        ? { translator: [] }
        : { steps: [], frames: [] }
  return verdictOf(outputFiles[0]?.text ?? '', { ...checks, ...part })
}

function verdictOf(script: string, workerData: Checks): Promise<string | undefined> {
  return new Promise((resolve) => {
    const url = new URL(`data:text/javascript,${encodeURIComponent(script)}`)
    const worker = new Worker(url, { workerData, stderr: true })
    const done = (failure: string | undefined) => {
      clearInterval(looking)
      void worker.terminate()
      resolve(failure)
    }
    const looking = setInterval(() => {
      worker.cpuUsage().then(
        ({ user }) => user > MOST_MICROSECONDS && done('it does not end'),
        () => {
          // It has ended.
        },
      )
    }, LOOK_MS)
    worker.once('message', ({ failure }: { failure?: string }) => done(failure))
    worker.once('error', (error) => done(error.message))
  })
}
