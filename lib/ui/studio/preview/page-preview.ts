import type { Reference } from '#lib/protocol/references.ts'
import type { ArtifactsAnswer } from '#lib/server/operations/studio/artifacts.ts'
import { siteSession } from '#lib/ui/wallet/session/browser-store.ts'
import { requestArtifacts } from './client.ts'
import { createBrowserEngine, type WorkerLike } from './engine/browser-engine.ts'
import type { Task, TaskAnswer } from './engine/messages.ts'
import { createCompiledBodies, createKnownArtifacts } from './known-artifacts.ts'
import { createQuickPreview, type QuickPreview } from './quick-preview.ts'
import { browserBodyStorage } from './stored-bodies.ts'

/** Longer runs are left to the server. */
const TIMEOUT_MS = 1000

let preview: QuickPreview | undefined

/** The page's only quick preview. */
export function pagePreview(): QuickPreview {
  preview ??= open()
  return preview
}

function open(): QuickPreview {
  const engine = createBrowserEngine<Task, TaskAnswer>({ open: openEngineWorker, timeoutMs: TIMEOUT_MS })
  const artifacts = createKnownArtifacts({
    read: readArtifacts,
    nowMs: () => performance.now(),
    onForget: () => engine.reset(),
  })
  // One account's artifacts are not reused for the next.
  let reader = currentReader()
  siteSession.subscribe(() => {
    const now = currentReader()
    if (now === reader) return
    reader = now
    artifacts.forget()
  })
  return createQuickPreview({
    engine,
    artifacts,
    bodies: createCompiledBodies(browserBodyStorage()),
  })
}

function currentReader(): string | undefined {
  const state = siteSession.getState()
  return state.status === 'signed_in' ? state.session.address : undefined
}

function readArtifacts(names: readonly Reference[], signal: AbortSignal): Promise<ArtifactsAnswer> {
  return requestArtifacts({ names: names.map(({ kind, name }) => ({ kind, name })) }, signal)
}

/**
 * Starts the engine's worker. Its script has a separate policy (`worker-policy.ts`): it may compile the code it
 * translates, and has no network access.
 */
function openEngineWorker(): WorkerLike<TaskAnswer> | undefined {
  if (typeof Worker === 'undefined') return undefined
  return new Worker(new URL('./engine/worker.ts', import.meta.url), {
    name: 'preview',
  }) as WorkerLike<TaskAnswer>
}
