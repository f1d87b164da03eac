import { createEngine, translators } from '../../lib/engine/engine.ts'
import type { ConnectorParts } from '../../lib/engine/run.ts'
import type { Variations } from '../../lib/engine/variations/variations.ts'
import { genesOf, mutated, seededRandom } from '../../lib/ui/studio/explore/engine/mutate.ts'
import { makeSheet } from '../../lib/ui/studio/explore/engine/sheet-task.ts'
import { median } from './measure.ts'

/* Measured in Node and in a browser alike: nothing here needs either. */

export interface VariationFigures {
  /** Variations a second by the common translation, and each as the connector that it is. */
  readonly varied: number
  readonly plain: number
  /** Milliseconds of a sheet of 256 with its measures, by an engine that has just drawn another one. */
  readonly sheetMs: number
  /** The same by a new engine. */
  readonly firstSheetMs: number
}

const LIMITS = { steps: 4_000_000, gas: 0n, milliseconds: 1000 }
const COUNT = 256
const BATCH = 4000
/** Timed together: so short that most are not interrupted by other work of the machine. */
const PIECE = 200
/** A plain run takes as long as some hundred varied ones; each is timed alone. */
const PLAIN_BATCH = 60
const SHEET = {
  size: 256,
  locks: { starts: false, arguments: false, order: false },
  parents: [],
} as const

/** @throws Error when the two ways of running a variation disagree. */
export function measureVariations(parts: ConnectorParts, name: string, rounds: number): VariationFigures {
  const variations = variationsOf(parts)
  const { layout } = variations
  const genes = genesOf(layout, name, SHEET.locks)
  const numbers = Array.from({ length: BATCH }, (_, index) => mutated(layout.own, genes, seededRandom(index)))
  compare(variations, numbers.slice(0, PLAIN_BATCH))
  const values = new Uint32Array(variations.paths.length * COUNT)
  const perSecond = (run: Variations['run'], batch: readonly Uint32Array[], size: number) => {
    const pieces = Array.from({ length: Math.floor(batch.length / size) }, (_, piece) =>
      timed(() => {
        for (let at = piece * size; at < (piece + 1) * size; at++) run(batch[at]!, COUNT, values)
      }),
    )
    return (size * 1000) / median(pieces)
  }
  perSecond(variations.run, numbers, PIECE)
  const varied: number[] = []
  const plain: number[] = []
  const sheets: number[] = []
  const firstSheets: number[] = []
  for (let round = 0; round < rounds; round++) {
    varied.push(perSecond(variations.run, numbers, PIECE))
    // Others than before: no cache answers them.
    const from = PLAIN_BATCH * (round + 1)
    plain.push(perSecond(variations.runPlainly, numbers.slice(from, from + PLAIN_BATCH), 1))
    sheets.push(timed(() => makeSheet(variations, { ...SHEET, root: name, seed: round })))
    firstSheets.push(timed(() => makeSheet(variationsOf(parts), { ...SHEET, root: name, seed: round })))
  }
  return {
    varied: median(varied),
    plain: median(plain),
    sheetMs: median(sheets),
    firstSheetMs: median(firstSheets),
  }
}

function variationsOf(parts: ConnectorParts): Variations {
  const variations = createEngine({ translators }).vary(parts, LIMITS)
  if (variations === undefined) throw new Error('The connector is too large')
  return variations
}

function compare(variations: Variations, numbers: readonly Uint32Array[]): void {
  const [one, other] = [0, 1].map(() => new Uint32Array(variations.paths.length * COUNT)) as [
    Uint32Array,
    Uint32Array,
  ]
  for (const each of numbers) {
    const status = variations.run(each, COUNT, one)
    const same = status === variations.runPlainly(each, COUNT, other)
    if (!same || (status === 'returned' && one.some((value, at) => value !== other[at]))) {
      throw new Error(`A variation differs: ${each.join()}`)
    }
  }
}

function timed(work: () => unknown): number {
  const began = performance.now()
  work()
  return performance.now() - began
}
