import { createEngine, translators } from '#lib/engine/engine.ts'
import type { RunLimits } from '#lib/engine/run.ts'
import type { NumbersLayout } from '#lib/engine/variations/layout.ts'
import type { Variations } from '#lib/engine/variations/variations.ts'
import { assembleTask, createArtifactStore } from '../runs/engine/assemble-task.ts'
import { type Measures, measure, withNovelty } from './measures.ts'
import type { Sheet, SheetAnswer, SheetTask, Variation } from './messages.ts'
import { bred, genesOf, mutated, type Random, seededRandom } from './mutate.ts'

const CACHE_BYTES = 32 * 1024 * 1024
/** Limits of one variation that cannot be run by the common translation. */
const LIMITS: RunLimits = { steps: 4_000_000, gas: 0n, milliseconds: 50 }
/** Steps of each stream, fewer where there are many streams. */
const WINDOW = 256
const MAX_VALUES = 16_384
/** Draws for one place of the sheet, and milliseconds for all of them. */
const MAX_DRAWS = 8
const MAX_MS = 2500

/** Computes sheets by the engine alone, without an exact one behind it. Never throws. */
export function createSheetRunner(): (task: SheetTask) => SheetAnswer {
  const store = createArtifactStore()
  const engine = createEngine({ translators, cacheBytes: CACHE_BYTES })
  let last: { readonly root: string; readonly variations: Variations } | undefined

  const variationsOf = (task: SheetTask): Variations | undefined => {
    const { root, artifacts } = assembleTask(task, store)
    if (last?.root !== root) {
      const variations = engine.vary({ root, artifacts }, LIMITS)
      last = variations && { root, variations }
    }
    return last?.variations
  }

  return (task) => {
    store.add(task.artifacts)
    try {
      const variations = variationsOf(task)
      const sheet = variations === undefined ? 'unable' : makeSheet(variations, task)
      return typeof sheet === 'string'
        ? { id: task.id, outcome: sheet }
        : { id: task.id, outcome: 'sheet', sheet }
    } catch {
      return { id: task.id, outcome: 'unable' }
    }
  }
}

/** Draws, runs and measures a sheet. */
export function makeSheet(
  variations: Variations,
  {
    root,
    size,
    seed,
    locks,
    parents: parentNumbers,
  }: Pick<SheetTask, 'root' | 'size' | 'seed' | 'locks' | 'parents'>,
): Sheet | 'fixed' | 'unable' {
  const began = performance.now()
  const { layout, paths } = variations
  const streams = paths.length
  const window = Math.min(WINDOW, Math.floor(MAX_VALUES / streams))
  if (window < 8) return 'unable'
  const genes = genesOf(layout, root, locks)
  if (genes.length === 0) return 'fixed'
  const parents = parentNumbers.filter((numbers) => isOf(layout, numbers))
  const [first = layout.own, second] = parents
  const next = (random: Random) => {
    if (second === undefined) return mutated(first, genes, random, parents.length === 0 ? 1 : 0.5)
    const child = bred(first, second, layout, random)
    // Two parents alone have few different children.
    return random() < 0.6 ? mutated(child, genes, random, 0.4) : child
  }

  const seen = new Set<string>()
  const draws: Omit<Variation, keyof Measures>[] = []
  const measured: Omit<Measures, 'novelty'>[] = []
  const values = new Uint32Array(streams * window)
  let dropped = 0
  const take = (index: number, numbers: Uint32Array): boolean => {
    const taken =
      variations.run(numbers, window, values) === 'returned' && seen.size !== seen.add(hashOf(values)).size
    if (taken) {
      draws.push({ index, numbers, values: values.slice() })
      measured.push(measure(values, streams, window))
    } else dropped += 1
    return taken
  }
  take(0, first)
  if (second !== undefined) take(1, second)
  for (let index = parents.length === 2 ? 2 : 1; index < size; index++) {
    const random = seededRandom(Math.imul(seed ^ 0x5bd1_e995, 0x9e37_79b1) + Math.imul(index, 0x85eb_ca6b))
    for (let draw = 0; draw < MAX_DRAWS; draw++) if (take(index, next(random))) break
    if (performance.now() - began > MAX_MS) {
      dropped += size - index - 1
      break
    }
  }
  const all = withNovelty(
    measured,
    draws.map((one) => one.values),
    streams,
    window,
  )
  return {
    layout: {
      ...layout,
      rows: layout.rows.map(({ codes, ...rows }) => ({
        ...rows,
        codes: codes.map(({ name, argsCount }) => ({ name, argsCount })),
      })),
    },
    paths,
    window,
    variations: draws.map((one, index) => ({ ...one, ...all[index]! })),
    dropped,
    tookMs: performance.now() - began,
  }
}

/** Whether numbers can be those of a layout: what came before an edit of the document is not. */
function isOf({ own, rows }: NumbersLayout, numbers: Uint32Array): boolean {
  return (
    numbers.length === own.length &&
    rows.every(({ at, width, count, codes }) =>
      Array.from({ length: count }, (_, row) => numbers[at + row * width]!).every(
        (code) => code < codes.length,
      ),
    )
  )
}

/** Two hashes of 32 bits (FNV-1a with different primes): equal values have equal ones. */
function hashOf(values: Uint32Array): string {
  let one = 0x811c_9dc5
  let other = 0x9e37_79b9
  for (const value of values) {
    one = Math.imul(one ^ value, 0x0100_0193)
    other = Math.imul(other ^ value, 0x85eb_ca6b)
    other ^= other >>> 15
  }
  return `${one >>> 0}/${other >>> 0}`
}
