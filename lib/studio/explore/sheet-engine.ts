import type { PreviewRequest } from '#lib/server/operations/studio/preview-schemas.ts'
import { type BrowserEngine, createBrowserEngine, type WorkerLike } from '../runs/engine/browser-engine.ts'
import type { Runs } from '../runs/runs.ts'
import type { SheetAnswer, SheetQuestion, SheetTask } from './messages.ts'

/** A sheet takes a quarter of a second; the worker stops by itself long before this. */
const TIMEOUT_MS = 8000

/**
 * Computes a sheet of variations of a connector in the browser; undefined where that cannot, or has something newer to do.
 *
 * @throws Refusal, NoAnswer
 */
export type ComputeSheet = (
  connector: PreviewRequest,
  question: SheetQuestion,
  signal: AbortSignal,
) => Promise<SheetAnswer | undefined>

/** Sheets of a session, computed in a worker of its own that the first of them opens. */
export function createSheets({ partsOf }: Pick<Runs, 'partsOf'>): ComputeSheet {
  let engine: BrowserEngine<SheetTask, SheetAnswer> | undefined
  return async (connector, question, signal) => {
    const parts = await partsOf(connector, signal)
    if (parts === undefined) return undefined
    engine ??= createBrowserEngine<SheetTask, SheetAnswer>({ open: openSheetWorker, timeoutMs: TIMEOUT_MS })
    return engine.run((memory) => ({ ...parts(memory), ...question }))
  }
}

function openSheetWorker(): WorkerLike<SheetAnswer> | undefined {
  if (typeof Worker === 'undefined') return undefined
  return new Worker(new URL('./sheet-worker.ts', import.meta.url), {
    name: 'explore',
  }) as WorkerLike<SheetAnswer>
}
