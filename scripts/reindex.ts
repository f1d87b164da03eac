/**
 * Indexes the whole chain again and compares the result with the live tables: `npm run reindex`, or
 * `npm run reindex -- --replace` to repair them. The site and the worker may run meanwhile. The configuration comes from the
 * environment, and what is missing there from an `npm start` that runs in this folder.
 *
 * Exits with 0 when the tables match the chain (or were repaired), 1 when they differ, 2 when they could not be compared.
 */
import { parseArgs } from 'node:util'
import { connectChain } from '#lib/chain/access.ts'
import { type ReindexReport, reindex } from '#lib/core/indexer/reindex/reindex.ts'
import { readConfig } from '#lib/features/config.ts'
import { completeEnvironment } from './stack/running.ts'

const SHOWN = 10

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  // PostgreSQL's word for a table that is not there.
  if (error instanceof Error && 'code' in error && error.code === '42P01') {
    console.error('The database schema is not that of this version: run npm run db:migrate first.')
  }
  process.exitCode = 2
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { replace: { type: 'boolean', default: false } },
  })
  const config = readConfig(completeEnvironment(process.env))
  const chain = await connectChain(config)
  const began = performance.now()
  const report = await reindex(
    { config, chain, clock: () => new Date() },
    { replace: values.replace, onProgress: showProgress() },
  )
  return describe(report, (performance.now() - began) / 1000)
}

/** One line every few seconds: the log of a long run stays short. */
function showProgress(): (block: number, of: number) => void {
  let last = performance.now()
  return (block, of) => {
    if (performance.now() - last < 3_000) return
    last = performance.now()
    console.log(`Block ${block} of ${of}`)
  }
}

function describe({ from, to, tables, unverified, replaced }: ReindexReport, seconds: number): number {
  console.log(`Indexed blocks ${from} to ${to} in ${seconds.toFixed(1)} s.`)
  let differing = 0
  for (const { table, rows, differences } of tables) {
    differing += differences.length
    const verdict = differences.length === 0 ? 'equal' : `${differences.length} different`
    console.log(`  ${table.padEnd(18)} ${String(rows).padStart(8)} rows  ${verdict}`)
    for (const { key, live, fromChain } of differences.slice(0, SHOWN)) {
      console.log(`    ${key}\n      here:       ${show(live)}\n      from chain: ${show(fromChain)}`)
    }
    if (differences.length > SHOWN) console.log(`    … and ${differences.length - SHOWN} more`)
  }
  if (unverified.length > 0) {
    console.log(`Content that could not be verified on chain: ${unverified.join(', ')}`)
  }
  if (differing === 0) console.log('The tables match the chain.')
  else if (replaced) console.log(`${differing} rows differed from the chain and were repaired.`)
  else console.log('The tables differ from the chain: npm run reindex -- --replace repairs them.')
  return differing === 0 || replaced ? 0 : 1
}

function show(row: unknown): string {
  const text = row === null ? 'nothing' : JSON.stringify(row)
  return text.length > 400 ? `${text.slice(0, 400)}…` : text
}
