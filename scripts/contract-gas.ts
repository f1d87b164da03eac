import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { measureGas, PARTICLE_COUNTS } from './contracts/measure-gas.ts'
import { startAnvil } from './stack/anvil.ts'
import { anyFreePort } from './stack/ports.ts'

/**
 * Measures what publishing and running cost and writes `contracts/gas-snapshot.json`, which a test compares with.
 * With particle counts as arguments it prints figures for those instead.
 */
const counts = process.argv.slice(2).map(Number)
const node = await startAnvil({ port: await anyFreePort() })
try {
  const figures = await measureGas(node.url, counts.length > 0 ? counts : PARTICLE_COUNTS)
  const text = `${JSON.stringify(figures, null, 2)}\n`
  if (counts.length === 0) writeFileSync(join(import.meta.dirname, '../contracts/gas-snapshot.json'), text)
  console.log(text)
} finally {
  await node.stop()
}
