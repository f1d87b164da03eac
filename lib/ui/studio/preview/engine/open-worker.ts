import type { WorkerLike } from './browser-engine.ts'

/**
 * The engine's worker, loaded when it is first needed. Its script comes under a policy of its own (`worker-policy.ts`):
 * it may make functions of the code it translates, and reaches no network.
 */
export function openEngineWorker(): WorkerLike | undefined {
  if (typeof Worker === 'undefined') return undefined
  return new Worker(new URL('./worker.ts', import.meta.url), { name: 'preview' }) as WorkerLike
}
