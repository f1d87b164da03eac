import { type BrowserEngine, createBrowserEngine, type WorkerLike } from '../runs/engine/browser-engine.ts'
import type { SheetAnswer, SheetTask } from './messages.ts'

/** A sheet takes a quarter of a second; the worker stops by itself long before this. */
const TIMEOUT_MS = 8000

/** The engine that computes sheets, in a worker of its own. */
export function openSheetEngine(): BrowserEngine<SheetTask, SheetAnswer> {
  return createBrowserEngine<SheetTask, SheetAnswer>({ open: openSheetWorker, timeoutMs: TIMEOUT_MS })
}

function openSheetWorker(): WorkerLike<SheetAnswer> | undefined {
  if (typeof Worker === 'undefined') return undefined
  return new Worker(new URL('./sheet-worker.ts', import.meta.url), {
    name: 'explore',
  }) as WorkerLike<SheetAnswer>
}
