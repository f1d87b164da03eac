/*
 * How long an author waits for the compiler while typing: each text is new, the compiler warm, one thread, as the
 * studio asks. Baselines in the same run: the compiler alone on this thread, and a text that is known already.
 *
 *   node bench/compile.ts [rounds]
 */
import { compileBody } from '../lib/solidity/compile-body.ts'
import { createCompilerPool } from '../lib/solidity/pool.ts'
import { SNIPPETS } from '../lib/ui/studio/code/snippets.ts'

const ROUNDS = Number(process.argv[2] ?? 5)

const pool = createCompilerPool({ timeoutMs: 30_000, maxQueue: 10, threads: 1 })
const times = {
  new: [] as number[],
  known: [] as number[],
  broken: [] as number[],
  alone: [] as number[],
  work: [] as number[],
}

async function timed(list: number[], work: () => unknown): Promise<void> {
  const began = performance.now()
  await work()
  list.push(performance.now() - began)
}

try {
  await pool.inspect('transformation', 'return x;')
  compileBody('transformation', 'return x;')
  for (let round = 0; round < ROUNDS; round++) {
    for (const { kind, source } of SNIPPETS) {
      const fresh = `${source}\n// ${round}`
      await timed(times.new, () => pool.inspect(kind, fresh))
      await timed(times.known, () => pool.inspect(kind, fresh))
      await timed(times.broken, () => pool.inspect(kind, `${fresh}\nreturn undeclared;`))
      const before = process.cpuUsage()
      await timed(times.alone, () => compileBody(kind, `${fresh} alone`))
      const { user, system } = process.cpuUsage(before)
      times.work.push((user + system) / 1000)
    }
  }
} finally {
  await pool.close()
}

const names = {
  alone: 'baseline: solc on this thread',
  work: 'its processor time',
  new: 'new text',
  broken: 'new text with an error',
  known: 'known text',
}
console.log(`${SNIPPETS.length} snippets x ${ROUNDS} rounds, milliseconds`)
for (const [key, name] of Object.entries(names) as [keyof typeof times, string][]) {
  const sorted = times[key].toSorted((a, b) => a - b)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(1)
  console.log(`${name.padEnd(32)} median ${at(0.5)}  p95 ${at(0.95)}  most ${at(1)}`)
}
