import { type CallRef, setArguments, setName } from '../document/commands/connector.ts'
import { refKey } from '../document/node-ref.ts'
import type { StudioStore } from '../document/store.ts'

/** Edits of a call or condition. Typing in one field is one step of undo. */
export function callEdits(edit: StudioStore['edit'], at: CallRef) {
  const key = refKey(at)
  const kind = at.kind === 'call' ? 'transformation' : 'condition'
  return {
    onName: (name: string) =>
      edit(`Choose ${kind}`, (document) => setName(document, at, name), { merge: `${key}/name` }),
    onArguments: (args: readonly string[]) =>
      edit('Drop arguments', (document) => setArguments(document, at, args)),
  }
}
