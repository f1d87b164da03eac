import type { NumbersLayout } from '#lib/engine/variations/layout.ts'
import type { TaskParts } from '../runs/engine/messages.ts'
import type { Measures } from './measures.ts'
import type { Locks } from './mutate.ts'

/* Messages between the page and the worker that computes sheets. */

/** A sheet of variations of one connector. */
export interface SheetTask extends TaskParts {
  readonly id: number
  /** Number of variations, the connector as it is being the first. */
  readonly size: number
  /** uint32; the same seed gives the same sheet. */
  readonly seed: number
  readonly locks: Locks
  /** Numbers that the sheet is made from: none for the connector's own, one for more like it, two to mix. */
  readonly parents: readonly Uint32Array[]
}

/** Where the numbers of a variation belong in the document. */
export interface SheetLayout extends Pick<NumbersLayout, 'own' | 'positions'> {
  readonly rows: readonly (Omit<NumbersLayout['rows'][number], 'codes'> & {
    readonly codes: readonly { readonly name: string; readonly argsCount: number }[]
  })[]
}

/** One variation that ran to its end. */
export interface Variation extends Measures {
  /** Its number in the order in which the seed draws them; 0 is the connector as it is, or the parent. */
  readonly index: number
  readonly numbers: Uint32Array
  /** One stream after another, `window` values each. */
  readonly values: Uint32Array
}

export interface Sheet {
  readonly layout: SheetLayout
  readonly paths: readonly string[]
  /** Steps of each stream. */
  readonly window: number
  readonly variations: readonly Variation[]
  /** Number of draws that did not run to their end, were drawn before, or were left out when the time was over. */
  readonly dropped: number
  /** Milliseconds in the worker. */
  readonly tookMs: number
}

/** Part of a task that a reader chooses. */
export type SheetQuestion = Pick<SheetTask, 'size' | 'seed' | 'locks' | 'parents'>

export type SheetAnswer =
  | { readonly id: number; readonly outcome: 'sheet'; readonly sheet: Sheet }
  /** - `fixed`: nothing of it may change. - `unable`: it does not run here. */
  | { readonly id: number; readonly outcome: 'fixed' | 'unable' }
