import type { ArtifactsAnswer } from '../../../api/studio/artifacts-schemas.ts'
import type { Reference } from '../../../domain/references.ts'
import { siteSession } from '../../wallet/session/browser-store.ts'
import { PreviewFailed, requestArtifacts, tellPreviewDifference } from './client.ts'
import { createCompiledBodies } from './compiled-bodies.ts'
import { createBrowserEngine } from './engine/browser-engine.ts'
import { openEngineWorker } from './engine/open-worker.ts'
import { createKnownArtifacts } from './known-artifacts.ts'
import { createQuickPreview, type QuickPreview } from './quick-preview.ts'

/** A run that takes longer than this is no preview: the server will be done as soon. */
const PATIENCE_MS = 1000

let preview: QuickPreview | undefined

/** The quick preview of this page; one for all its parts. */
export function pagePreview(): QuickPreview {
  preview ??= open()
  return preview
}

function open(): QuickPreview {
  const engine = createBrowserEngine({ open: openEngineWorker, patienceMs: PATIENCE_MS })
  const artifacts = createKnownArtifacts({
    read: readArtifacts,
    nowMs: () => performance.now(),
    onForget: () => engine.reset(),
  })
  // What one account may read is not kept for the next.
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
    bodies: createCompiledBodies(),
    onDifference: () => void tellPreviewDifference(),
  })
}

function currentReader(): string | undefined {
  const state = siteSession.getState()
  return state.status === 'signed_in' ? state.session.address : undefined
}

async function readArtifacts(names: readonly Reference[], signal: AbortSignal): Promise<ArtifactsAnswer> {
  const body = { names: names.map(({ kind, name }) => ({ kind, name })) }
  if (currentReader() === undefined) return requestArtifacts('visitor', body, signal)
  try {
    return await requestArtifacts('account', body, signal)
  } catch (error) {
    // The session has ended meanwhile; what is published anybody may read.
    if (error instanceof PreviewFailed && error.status === 401)
      return requestArtifacts('visitor', body, signal)
    throw error
  }
}
