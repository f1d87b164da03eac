'use client'

import { createContext, type ReactNode, useContext, useState } from 'react'
import type { Session } from '#lib/studio/session.ts'
import { LoadLater, laterPart } from '#lib/ui/kit/load-later.tsx'

const panelPart = laterPart('The assistant', () =>
  import('./panel.tsx').then((loaded) => loaded.AssistantPanel),
)

const Endpoints = createContext<readonly string[]>([])

/** @param endpoints Origins that the studio's page may connect to for its assistant; none where there is no assistant. */
export function AssistantEndpoints({
  endpoints,
  children,
}: {
  endpoints: readonly string[]
  children: ReactNode
}) {
  return <Endpoints value={endpoints}>{children}</Endpoints>
}

export interface AssistantEntry {
  /** Shows and hides the panel; undefined where the operator offers no assistant. */
  readonly toggle: (() => void) | undefined
  readonly isShown: boolean
  /** The panel, once it was opened. */
  readonly panel: ReactNode
}

/** The assistant of a workbench. @param onHide Called when the panel hides itself, which had the focus. */
export function useAssistant(session: Session, onHide: () => void): AssistantEntry {
  const allowed = useContext(Endpoints)
  const [state, setState] = useState<'unopened' | 'shown' | 'hidden'>('unopened')
  const isShown = state === 'shown'
  const onClose = () => {
    setState('hidden')
    onHide()
  }
  return {
    toggle: allowed.length === 0 ? undefined : () => setState(isShown ? 'hidden' : 'shown'),
    isShown,
    panel:
      state === 'unopened' ? null : (
        <LoadLater part={panelPart} props={{ session, allowed, shown: isShown, onClose }} opening={null} />
      ),
  }
}
