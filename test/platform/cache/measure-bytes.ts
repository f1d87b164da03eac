/** Prints, as JSON, the sizes that caches report and the process memory they use: `node --expose-gc`. */

import { artifactBytes } from '#lib/core/entities/load-artifacts.ts'
import { type Artifact, withoutLeaves } from '#lib/protocol/artifact.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import { Shelf } from '#test/support/definitions.ts'

export interface Measured {
  readonly claimed: number
  readonly held: number
}

const gc = (globalThis as { gc?: () => void }).gc!

function heldBytes(): number {
  for (let i = 0; i < 4; i++) gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** @param make Returns the cached values and their reported size. */
function measure(make: () => { readonly claimed: number; readonly kept: unknown }): Measured {
  const before = heldBytes()
  const made = make()
  const held = heldBytes() - before
  // Alive until here.
  if (made.kept === undefined) throw new Error('Nothing is held')
  return { claimed: made.claimed, held }
}

/** As it comes from the database: nothing in it is shared. */
function copies(artifact: Artifact, times: number) {
  const text = JSON.stringify(artifact)
  return measure(() => {
    const kept = Array.from({ length: times }, () => JSON.parse(text) as Artifact)
    return { kept, claimed: kept.reduce((sum, each) => sum + artifactBytes(each), 0) }
  })
}

const shelf = new Shelf()
const runtime = `0x${'60'.repeat(5000)}` as const
const contentHash = codeContentHash('transformation', 'code', 3, runtime)
const code = shelf.add({ kind: 'transformation' as const, name: 'code', argsCount: 3, runtime, contentHash })
function name(prefix: string, index: number) {
  return `${prefix}${index}_`.padEnd(128, 'x')
}
const call = { name: 'code', args: [1, 4_294_967_295, 3] }
const calls = shelf.connector({
  name: 'calls',
  dimensions: Array.from({ length: 40 }, () => ({ transformations: Array.from({ length: 20 }, () => call) })),
})
shelf.connector({
  name: name('d', 0),
  dimensions: Array.from({ length: 64 }, () => ({ transformations: [call] })),
})
shelf.connector({ name: name('d', 1), dimensions: [{ composite: name('d', 0) }] })
const bound = shelf.connector({
  name: 'bound',
  dimensions: [
    {
      composite: name('d', 0),
      bindings: Object.fromEntries(Array.from({ length: 64 }, (_, slot) => [slot, name('d', 1)])),
    },
  ],
})
const measured: Record<string, Measured> = {
  'code artifacts': copies(code, 500),
  'artifacts of many calls': copies(withoutLeaves(calls), 50),
  'artifacts of many bindings': copies(withoutLeaves(bound), 200),
}
console.log(JSON.stringify(measured))
