'use client'

import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { withFreeNames } from '#lib/studio/document/free-names.ts'
import { refKey } from '#lib/studio/document/node-ref.ts'
import { type Library, type LibrarySource, type Parts, partsOf } from '#lib/studio/document/parts.ts'
import type { Problem } from '#lib/studio/document/problem.ts'
import { problems } from '#lib/studio/document/problems.ts'
import { type Shapes, shapesOf } from '#lib/studio/document/shapes.ts'
import type { StudioState, StudioStore } from '#lib/studio/document/store.ts'
import type { Entry, Tab } from '#lib/studio/document/types.ts'
import type { Run } from '#lib/studio/runs/runs.ts'
import type { Session } from '#lib/studio/session.ts'
import { useValue } from '#lib/ui/components/value.ts'

/** What every part of the studio works with. */
export interface Studio {
  readonly session: Session
  /** The session's document. */
  readonly store: StudioStore
  readonly state: StudioState
  /** Changes whenever more is known. */
  readonly library: Library
  readonly parts: Parts
  readonly shapes: Shapes
  readonly problems: readonly Problem[]
  /** By `refKey` of the node. */
  readonly problemsAt: ReadonlyMap<string, readonly Problem[]>
  readonly openTab: (tab: Tab) => void
  /** Opens the entry of a name, else the published entity. */
  readonly openName: (kind: 'connector' | 'transformation' | 'condition', name: string) => void
  /** Shows a text for a moment, in a live region. */
  readonly announce: (text: string) => void
  /** Entries of another origin under names that are free here and on chain; references among them follow. */
  readonly freeNames: (entries: readonly Entry[]) => Promise<readonly Entry[]>
  /** Reads a name again, for instance after publishing it. */
  readonly refresh: LibrarySource['refresh']
}

const StudioContext = createContext<Studio | undefined>(undefined)

/** The studio around this component. */
export function useStudio(): Studio {
  const studio = useContext(StudioContext)
  if (studio === undefined) throw new Error('useStudio needs a StudioProvider around it')
  return studio
}

/** The run of a connector of the session. @param of `tabKey` of its tab. */
export function useRun(of: string): Run {
  return useStudio().session.runs.of(of)
}

export function StudioProvider({
  session,
  live,
  openTab,
  announce,
  children,
}: {
  session: Session
  live: LibrarySource
  openTab: (tab: Tab) => void
  announce: (text: string) => void
  children: ReactNode
}) {
  const store = session.document
  const state = useValue(store)
  const library = useValue(live)
  const { document } = state
  const derived = useMemo(() => {
    const parts = partsOf(document, library)
    const found = problems(document, library)
    return { parts, shapes: shapesOf(parts), problems: found, problemsAt: grouped(found) }
  }, [document, library])
  const studio = useMemo<Studio>(
    () => ({
      session,
      store,
      state,
      library,
      ...derived,
      openTab,
      openName(kind, name) {
        const part = derived.parts.find(kind, name)
        if (typeof part === 'object' && part.from === 'document') {
          openTab({ kind: 'entry', entryId: part.entry.id })
        } else openTab({ kind: 'published', entity: kind, name })
      },
      announce,
      freeNames: (entries) => withFreeNames(entries, store.getState().document, live),
      refresh: live.refresh,
    }),
    [session, store, state, library, live, derived, openTab, announce],
  )
  return <StudioContext value={studio}>{children}</StudioContext>
}

function grouped(found: readonly Problem[]): ReadonlyMap<string, readonly Problem[]> {
  const groups = new Map<string, Problem[]>()
  for (const problem of found) {
    const key = refKey(problem.at)
    const group = groups.get(key)
    if (group) group.push(problem)
    else groups.set(key, [problem])
  }
  return groups
}
