import { createBundlePool } from '../lib/worlds/bundle/pool.ts'
import { makeBundle } from '../test/worlds/support/bundle.ts'
import { hostileZips } from '../test/worlds/support/hostile-zips.ts'
import { measure } from '../test/worlds/support/measure.ts'
import type { Zip } from '../test/worlds/support/zip.ts'

/*
 * What each hostile ZIP costs the process that checks it, beside a good bundle of three files and one of as much as a
 * bundle may hold. Run with: node --expose-gc bench/hostile-zips.ts
 */

const pool = createBundlePool({ timeoutMs: 15_000, maxQueue: 1, threads: 1 })
const noise = (bytes: number) => Uint8Array.from({ length: bytes }, (_, i) => (i * i * 31) >>> (i % 7))
const full = () =>
  makeBundle(
    {},
    Array.from({ length: 24 }, (_, i) => ({ name: `${i}.wav`, content: noise(1024 * 1024), stored: true })),
  )

const check = async (zip: Zip) => {
  globalThis.gc?.()
  return measure(() =>
    pool.check(zip).then(
      () => 'accepted',
      () => 'refused',
    ),
  )
}

await check(makeBundle())
const rows: Record<string, string | number>[] = []
const add = async (what: string, zip: Zip) => {
  const { result, cpuMs, grownMiB } = await check(zip)
  rows.push({
    what,
    outcome: result,
    'KiB sent': Math.round(zip.byteLength / 1024),
    'CPU ms': cpuMs,
    'MiB grown': grownMiB,
  })
}
await add('(a good bundle of four files)', makeBundle())
await add('(a good bundle of 24 MiB)', full())
for (const { what, make } of hostileZips) await add(what, make())
await pool.close()

const [few, much, ...hostile] = rows
const worst = (key: string) => hostile.toSorted((a, b) => Number(b[key]) - Number(a[key])).slice(0, 8)
console.log(
  `${hostile.length} hostile ZIPs, ${hostile.filter((row) => row.outcome === 'refused').length} refused`,
)
console.log('\nfor comparison')
console.table([few, much])
console.log('most CPU')
console.table(worst('CPU ms'))
console.log('most memory')
console.table(worst('MiB grown'))
