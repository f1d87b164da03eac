/**
 * Every figure that this program wants to be judged by, in one run: `npm run bench`, or only some parts of it, for
 * instance `npm run bench -- simulate gas`. Sides of a comparison take turns; medians are printed, and only ratios
 * should be used. `docs/performance.md` describes what each part compares.
 *
 *   --particles 8192   of a run    --rounds 5   that count    --write FILE   the tables as markdown too
 *   --minutes 30       of studio-soak, which runs only where it is named
 */
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { buildArtifacts } from './network/artifacts.ts'
import { type BenchChain, startChain } from './network/chain.ts'
import { type BenchPostgres, startBenchPostgres } from './network/postgres.ts'
import { type BenchProgram, startBenchProgram } from './network/program.ts'
import { gas } from './sections/gas.ts'
import { ingestion } from './sections/ingestion.ts'
import { prepare } from './sections/prepare.ts'
import { reads } from './sections/reads.ts'
import { requests } from './sections/requests.ts'
import { simulate } from './sections/simulate.ts'
import { studioDrag } from './sections/studio-drag.ts'
import { studioPicture } from './sections/studio-picture.ts'
import { studioSoak } from './sections/studio-soak.ts'
import { studioSound } from './sections/studio-sound.ts'
import { wall, wallScroll } from './sections/wall.ts'
import { figure } from './support/format.ts'
import { createReport, machine, type Options } from './support/report.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    particles: { type: 'string', default: '8192' },
    rounds: { type: 'string', default: '5' },
    write: { type: 'string' },
    minutes: { type: 'string', default: '30' },
  },
})
const options: Options = { particles: Number(values.particles), rounds: Number(values.rounds) }
const lines: string[] = []
const report = createReport((text) => {
  lines.push(text)
  console.log(text)
})

const artifacts = once(() => Promise.resolve(buildArtifacts()))
const cleanups: (() => Promise<void>)[] = []
const chain = once(async (): Promise<BenchChain> => {
  const started = await startChain()
  cleanups.push(() => started.close())
  await started.publish((await artifacts()).values())
  return started
})
const database = once(async (): Promise<BenchPostgres> => {
  const started = await startBenchPostgres()
  cleanups.push(() => started.close())
  return started
})
const program = once(async (): Promise<BenchProgram> => {
  const started = await startBenchProgram(await (await database()).newDatabase('program'))
  cleanups.push(() => started.close())
  return started
})

const sections: Readonly<Record<string, () => Promise<void>>> = {
  simulate: async () => simulate(report, await artifacts(), await chain(), options),
  requests: async () => requests(report, await artifacts(), await chain(), await program(), options),
  prepare: async () => prepare(report, await program(), options),
  reads: async () => reads(report, await program(), options),
  ingestion: async () => ingestion(report, await database(), options),
  gas: async () => gas(report, await chain()),
  'studio-picture': async () => studioPicture(report, await program()),
  'studio-drag': async () => studioDrag(report, await program()),
  'studio-sound': () => studioSound(report),
  wall: async () => wall(report, await program(), options),
  'wall-scroll': async () => wallScroll(report, await program()),
  'studio-soak': async () => studioSoak(report, await program(), Number(values.minutes)),
}

const unknown = positionals.filter((name) => !(name in sections))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. Parts: ${Object.keys(sections).join(', ')}.`)
  process.exit(2)
}
report.line(machine())
try {
  for (const [name, run] of Object.entries(sections)) {
    if (positionals.length > 0 ? !positionals.includes(name) : name === 'studio-soak') continue
    const [load = 0] = loadavg()
    await run().catch((error: unknown) => {
      // What the other parts find out is worth having.
      process.exitCode = 1
      report.line(`The part ${name} failed: ${error instanceof Error ? error.stack : error}`)
    })
    report.line(
      `Load of the machine: ${figure(load)} at the start of ${name}, ${figure(loadavg()[0] ?? 0)} at its end.`,
    )
  }
  report.heading('Goals')
  report.line(report.summary())
  if (values.write !== undefined) writeFileSync(values.write, `${lines.join('\n')}\n`)
} finally {
  for (const clean of cleanups.reverse()) await clean()
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
