import type { Reference } from '#lib/protocol/references.ts'
import type { ArtifactsAnswer } from '#lib/server/operations/studio/artifacts.ts'
import { requestArtifacts } from './client.ts'
import { createBrowserEngine, type WorkerLike } from './engine/browser-engine.ts'
import type { Task, TaskAnswer } from './engine/messages.ts'
import { createCompiledBodies, createKnownArtifacts } from './known-artifacts.ts'
import { createQuickPreview, type QuickPreview } from './quick-preview.ts'
import { browserBodyStorage } from './stored-bodies.ts'

/** Longer runs are left to the server. */
const TIMEOUT_MS = 1000

/** The engine of a page, in a worker, and what it knows. */
export interface PageEngine extends QuickPreview {
  /** Stores artifacts that came with the page. */
  learn(names: readonly Reference[], answer: ArtifactsAnswer): void
  /** Drops what was read: another account may read something else under the same names. */
  forget(): void
}

export function openPageEngine(): PageEngine {
  const engine = createBrowserEngine<Task, TaskAnswer>({ open: openEngineWorker, timeoutMs: TIMEOUT_MS })
  const artifacts = createKnownArtifacts({
    read: readArtifacts,
    nowMs: () => performance.now(),
    onForget: () => engine.reset(),
  })
  const bodies = createCompiledBodies(browserBodyStorage())
  return {
    ...createQuickPreview({ engine, artifacts, bodies }),
    learn: artifacts.learn,
    forget: artifacts.forget,
  }
}

function readArtifacts(names: readonly Reference[], signal: AbortSignal): Promise<ArtifactsAnswer> {
  return requestArtifacts({ names: names.map(({ kind, name }) => ({ kind, name })) }, signal)
}

/**
 * Starts the engine's worker. Its script has a separate policy (`worker-csp.ts`): it may compile the code it
 * translates, and has no network access.
 */
function openEngineWorker(): WorkerLike<TaskAnswer> | undefined {
  if (typeof Worker === 'undefined') return undefined
  return new Worker(new URL('./engine/worker.ts', import.meta.url), {
    name: 'preview',
  }) as WorkerLike<TaskAnswer>
}
