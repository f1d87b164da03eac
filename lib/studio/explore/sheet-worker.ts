/* The worker in which sheets of variations are computed. Entry of a script of its own. */

import { LOADED } from '../runs/engine/messages.ts'
import type { SheetTask } from './messages.ts'
import { createSheetRunner } from './sheet-task.ts'

interface WorkerScope {
  onmessage: ((event: { readonly data: SheetTask }) => void) | null
  postMessage(message: unknown, transfer?: Transferable[]): void
}

const scope = globalThis as unknown as WorkerScope
const run = createSheetRunner()

scope.onmessage = ({ data: task }) => {
  const answer = run(task)
  const variations = answer.outcome === 'sheet' ? answer.sheet.variations : []
  scope.postMessage(
    answer,
    variations.map(({ values }) => values.buffer as ArrayBuffer),
  )
}
scope.postMessage(LOADED)
