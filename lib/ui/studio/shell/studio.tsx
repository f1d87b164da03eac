'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { createChainClient } from '../../../client/chain.ts'
import { StudioProvider } from '../context.tsx'
import { createStudioStore } from '../document/store.ts'
import type { Tab } from '../document/types.ts'
import { withTab } from '../document/view.ts'
import { createLiveLibrary } from '../library/live-library.ts'
import { readEntity } from '../library/read-entity.ts'
import { type Autosave, startAutosave } from '../storage/autosave.ts'
import { useShelf } from '../workspaces/use-shelf.ts'
import { useDeepLink } from './use-deep-link.ts'
import { Workbench } from './workbench.tsx'

/**
 * The studio: one document, its editors, its autosave. Another owner or workspace needs another `key`, so that nothing
 * of one is ever shown in the other.
 *
 * @param owner Whose work it is: an address, or empty for whoever has not signed in.
 * @param workspace Id of the workspace.
 */
export function Studio({ owner, workspace }: { owner: string; workspace: string }) {
  const { shelf } = useShelf()
  const [store] = useState(() => createStudioStore())
  const [queries] = useState(
    () => new QueryClient({ defaultOptions: { queries: { staleTime: 30_000, retry: 1 } } }),
  )
  const [live] = useState(() => {
    const chain = createChainClient('/chain')
    return createLiveLibrary((kind, name) => readEntity(chain, kind, name))
  })
  const [autosave, setAutosave] = useState<Autosave>()
  const [said, say] = useState('')

  useEffect(() => {
    const started = startAutosave(store, owner, workspace)
    // Before anybody is shown that it is saved here: what the account has is older from now on.
    const unsubscribe = started.subscribe(shelf.changed)
    setAutosave(started)
    return () => {
      unsubscribe()
      started.stop()
    }
  }, [store, owner, workspace, shelf])
  useEffect(() => live.start(), [live])

  const openTab = useCallback((tab: Tab) => store.setView((view) => withTab(view, tab)), [store])

  return (
    <QueryClientProvider client={queries}>
      <StudioProvider store={store} live={live} openTab={openTab} say={say}>
        {autosave === undefined ? <Opening /> : <Opened autosave={autosave} said={said} />}
      </StudioProvider>
    </QueryClientProvider>
  )
}

function Opened({ autosave, said }: { autosave: Autosave; said: string }) {
  const state = useSyncExternalStore(autosave.subscribe, autosave.getState, autosave.getState)
  if (state.kind === 'opening') return <Opening />
  return (
    <>
      <FollowDeepLink />
      <Workbench autosave={autosave} said={said} />
    </>
  )
}

function FollowDeepLink() {
  useDeepLink()
  return null
}

/** While it is not known yet what to show. */
export function Opening() {
  return (
    <p role="status" className="scripted py-8 text-ink-soft">
      Opening your work…
    </p>
  )
}
