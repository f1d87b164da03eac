import { createValue, type Readable } from '#lib/browser/value.ts'
import { type History, record, redo, seal, startHistory, undo } from './history.ts'
import type { NodeRef } from './node-ref.ts'
import { EMPTY_DOCUMENT, EMPTY_VIEW, type StudioDocument, type StudioView, withTab } from './types.ts'

/** Chosen nodes. Never a step of undo, never saved. The last one has the focus. */
export type Selection = readonly NodeRef[]

/** A value that changes only as a whole; made for `useSyncExternalStore`. */
export interface StudioState {
  readonly document: StudioDocument
  readonly view: StudioView
  readonly selection: Selection
  /** Label of the step that undo reverts; undefined when there is none. */
  readonly undoLabel: string | undefined
  readonly redoLabel: string | undefined
}

export interface EditOptions {
  /** Edits in a row with the same key become one step of undo, for instance `args/<call id>/0` for typing there. */
  readonly merge?: string
  /** They do so after any pause, as in a drag. */
  readonly hold?: boolean
  /** It becomes one with the last step where that one led to this document. */
  readonly onto?: StudioDocument | undefined
}

/**
 * The one place where the document of a page lives. Editors read `getState`, subscribe, and change it by `edit` with
 * the pure commands of `commands/`.
 *
 * @example store.edit('Add dimension', (document) => addDimension(document, { entryId, id: newId() }))
 */
export interface StudioStore extends Readable<StudioState> {
  /** One step of undo, unless it merges with the step before. A command that changes nothing leaves no step. */
  edit(label: string, command: (document: StudioDocument) => StudioDocument, options?: EditOptions): void
  undo(): void
  redo(): void
  select(selection: Selection): void
  /** Tabs and the like: saved, but no step of undo. */
  setView(change: (view: StudioView) => StudioView): void
  /** The present document with the steps before and after it. */
  history(): History
  /** Another document with its history takes the place of this one. */
  replace(history: History, view: StudioView): void
}

/** @param now Milliseconds; decides which edits merge into one undo step. */
export function createStudioStore(
  initial: { readonly document: StudioDocument; readonly view: StudioView } = {
    document: EMPTY_DOCUMENT,
    view: EMPTY_VIEW,
  },
  now: () => number = Date.now,
): StudioStore {
  let history = startHistory(initial.document)
  const state = createValue(stateOf(history, initial.view, []))

  const go = (next: History, change: (view: StudioView) => StudioView = (view) => view) => {
    if (next === history) return
    history = next
    const { view, selection } = state.getState()
    state.setState(stateOf(history, change(view), selection))
  }
  /** An entry that comes back is in front: its tab was closed with it. */
  const restore = (next: History) => {
    const before = new Set(history.present.entries.map(({ id }) => id))
    const [back, ...more] = next.present.entries.filter(({ id }) => !before.has(id))
    const isOne = back !== undefined && more.length === 0
    go(next, (view) => (isOne ? withTab(view, { kind: 'entry', entryId: back.id }) : view))
  }

  return {
    getState: state.getState,
    subscribe: state.subscribe,
    edit(label, command, { merge, hold, onto } = {}) {
      go(record(history, { label, after: command(history.present), merge, hold, onto, atMs: now() }))
    },
    undo: () => restore(undo(history)),
    redo: () => restore(redo(history)),
    select(selection) {
      history = seal(history)
      state.setState({ ...state.getState(), selection })
    },
    setView(change) {
      const view = change(state.getState().view)
      if (view !== state.getState().view) state.setState({ ...state.getState(), view })
    },
    history: () => history,
    replace(next, view) {
      history = next
      state.setState(stateOf(history, view, []))
    },
  }
}

function stateOf(history: History, view: StudioView, selection: Selection): StudioState {
  return {
    document: history.present,
    view,
    selection,
    undoLabel: history.past.at(-1)?.label,
    redoLabel: history.future.at(-1)?.label,
  }
}
