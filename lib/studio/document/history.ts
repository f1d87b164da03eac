import type { StudioDocument } from './types.ts'

/** One thing that was done, as undo sees it. */
export interface Step {
  /** Name of the step, for menus and for announcing it: `Rename connector`. */
  readonly label: string
  readonly before: StudioDocument
  readonly after: StudioDocument
  /** Edits in a row with the same key are one step: the letters of a word, the pixels of a drag. */
  readonly merge: string | undefined
  readonly atMs: number
}

export interface History {
  readonly present: StudioDocument
  readonly past: readonly Step[]
  /** The step that redo brings back first is last. */
  readonly future: readonly Step[]
}

/** Undo steps retained; older ones are dropped. */
export const MAX_STEPS = 500

/** A pause this long in typing starts a new step. */
export const MERGE_WITHIN_MS = 1000

export function startHistory(present: StudioDocument): History {
  return { present, past: [], future: [] }
}

/** Adds an edit. An edit that changes nothing is no step. */
export function record(
  history: History,
  edit: {
    readonly label: string
    readonly after: StudioDocument
    readonly merge?: string | undefined
    /** Merges after any pause: a drag is one step however long it rests. */
    readonly hold?: boolean | undefined
    /** Merges with the last step where that one led to this document, whatever was chosen or rested since. */
    readonly onto?: StudioDocument | undefined
    readonly atMs: number
  },
): History {
  const { label, after, merge, hold = false, onto, atMs } = edit
  if (after === history.present) return history
  const last = history.past.at(-1)
  const merges =
    last !== undefined &&
    history.future.length === 0 &&
    (last.after === onto ||
      (merge !== undefined && last.merge === merge && (hold || atMs - last.atMs <= MERGE_WITHIN_MS)))
  const step: Step = { label, before: merges ? last.before : history.present, after, merge, atMs }
  const past = [...(merges ? history.past.slice(0, -1) : history.past), step].slice(-MAX_STEPS)
  return { present: after, past, future: [] }
}

/** Ends the current typing step: later input is a new step. */
export function seal(history: History): History {
  const last = history.past.at(-1)
  if (last?.merge === undefined) return history
  return { ...history, past: [...history.past.slice(0, -1), { ...last, merge: undefined }] }
}

export function undo(history: History): History {
  const step = history.past.at(-1)
  if (step === undefined) return history
  return {
    present: step.before,
    past: history.past.slice(0, -1),
    future: [...history.future, { ...step, merge: undefined }],
  }
}

export function redo(history: History): History {
  const step = history.future.at(-1)
  if (step === undefined) return history
  return { present: step.after, past: [...history.past, step], future: history.future.slice(0, -1) }
}
