import { openPageEngine, type PageEngine } from '#lib/studio/runs/page-engine.ts'
import { siteSession } from '#lib/ui/wallet/session/browser-store.ts'

let engine: PageEngine | undefined

/** The page's only engine. */
export function pagePreview(): PageEngine {
  engine ??= open()
  return engine
}

function open(): PageEngine {
  const opened = openPageEngine()
  let reader = currentReader()
  siteSession.subscribe(() => {
    const now = currentReader()
    if (now === reader) return
    reader = now
    opened.forget()
  })
  return opened
}

function currentReader(): string | undefined {
  const state = siteSession.getState()
  return state.status === 'signed_in' ? state.session.address : undefined
}
