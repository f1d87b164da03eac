'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useEffectEvent, useState } from 'react'
import { createStudioStore } from '#lib/studio/document/store.ts'
import { type Tab, withTab } from '#lib/studio/document/types.ts'
import { type Autosave, startAutosave } from '#lib/studio/keep/autosave.ts'
import { readDeepLink, withoutDeepLink } from '#lib/studio/keep/deep-link.ts'
import { takeKeepOnArrival } from '#lib/studio/keep/link.ts'
import { VISITOR } from '#lib/studio/keep/workspace-store.ts'
import { createLiveLibrary, readEntities } from '#lib/studio/library/live-library.ts'
import { Button } from '#lib/ui/components/button.tsx'
import { Notice } from '#lib/ui/components/notice.tsx'
import { useValue } from '#lib/ui/components/value.ts'
import { useSession } from '#lib/ui/wallet/session/use-session.ts'
import { StudioProvider, useStudio } from '../common/context.tsx'
import { keepLook, type LookState, useLook } from '../share/look.ts'
import { useIsOwn } from '../share/origin-line.tsx'
import { useWorkspaces } from '../workspaces/use-workspaces.ts'
import { WorkspacesProvider } from '../workspaces/workspaces-dialog.tsx'
import { isRemixable, useRemix } from './published-view.tsx'
import { removeServiceWorker } from './remove-service-worker.ts'
import type { Said } from './toast.tsx'
import { Workbench } from './workbench.tsx'

/**
 * The studio: one document, its editors, its autosave. Another owner or workspace needs another `key`, so that
 * nothing of one is shown in the other.
 *
 * @param owner An address, or empty for a visitor.
 * @param workspace Id of the workspace.
 * @param page What outlives the change to another owner or workspace.
 */
export function Studio({ owner, workspace, page }: { owner: string; workspace: string; page: StudioPage }) {
  const { said, announce, shared, leave } = page
  const { manager } = useWorkspaces()
  const [ownStore] = useState(() => createStudioStore())
  const look = shared.kind === 'open' ? shared.look : undefined
  const store = look?.store ?? ownStore
  const [queries] = useState(
    () => new QueryClient({ defaultOptions: { queries: { staleTime: 30_000, retry: 1 } } }),
  )
  const [live] = useState(() => createLiveLibrary(readEntities))
  const [autosave, setAutosave] = useState<Autosave>()

  useEffect(() => {
    const started = startAutosave(ownStore, owner, workspace)
    // Before the save is shown: the account's copy is older from now on.
    const unsubscribe = started.subscribe(manager.changed)
    setAutosave(started)
    return () => {
      unsubscribe()
      started.stop()
    }
  }, [ownStore, owner, workspace, manager])
  useEffect(() => live.start(), [live])

  const openTab = useCallback((tab: Tab) => store.setView((view) => withTab(view, tab)), [store])
  const keep = async (arrived = false) => {
    if (look === undefined) return
    const { kept, sentence } = await keepLook(look, ownStore, live)
    if (kept) leave(arrived)
    announce(sentence)
  }
  const leaveLook = () => {
    const changed = look !== undefined && look.store.history().past.length > 0
    leave()
    if (changed) announce('What you changed there was not kept. Back in the browser leads to it again.')
  }
  const lookItems = look && [
    { id: 'keep', label: 'Keep this', run: () => void keep() },
    { id: 'leave', label: 'To my own work', run: leaveLook },
  ]

  return (
    <QueryClientProvider client={queries}>
      <StudioProvider store={store} live={live} openTab={openTab} announce={announce}>
        {autosave === undefined ? (
          <Opening />
        ) : (
          <Opened autosave={autosave} follow={shared.kind === 'none'}>
            <Workbench
              autosave={autosave}
              said={said}
              look={lookItems}
              notice={<LookNotice state={shared} onKeep={keep} onLeave={leaveLook} />}
            />
          </Opened>
        )}
      </StudioProvider>
    </QueryClientProvider>
  )
}

/** @param follow Whether deep links are followed: they lead into one's own work. */
function Opened({
  autosave,
  follow,
  children,
}: {
  autosave: Autosave
  follow: boolean
  children: ReactNode
}) {
  const state = useValue(autosave)
  if (state.kind === 'opening') return <Opening />
  return (
    <>
      {follow ? <FollowDeepLink /> : null}
      {children}
    </>
  )
}

/** Shown until the document is open. */
export function Opening() {
  return (
    <p role="status" className="scripted p-6 text-ink-soft">
      Opening your work…
    </p>
  )
}

/** How long the studio waits for the session. Then it works without the server. */
const TIMEOUT_MS = 4_000

interface StudioPage {
  readonly said: Said | undefined
  readonly announce: (text: string) => void
  /** The shared draft that the address leads to. */
  readonly shared: LookState
  readonly leave: (replace?: boolean) => void
}

function useStudioPage(): StudioPage {
  const [said, setSaid] = useState<Said>()
  const announce = useCallback((text: string) => setSaid({ text }), [])
  const [shared, leave] = useLook()
  useEffect(() => void removeServiceWorker(), [])
  return { said, announce, shared, leave }
}

/** The studio of the account, or of a visitor. */
export function OwnStudio() {
  const session = useSession()
  const page = useStudioPage()
  const [waited, setWaited] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), TIMEOUT_MS)
    return () => clearTimeout(timer)
  }, [])

  if (session.status === 'switched') {
    return (
      <div className="p-6">
        <Notice title="Your wallet shows another account">
          <p>
            Choose at the top of the page which of the two you want to use. The work of each is kept apart.
          </p>
        </Notice>
      </div>
    )
  }
  const owner =
    session.status === 'signed_in'
      ? session.session.address
      : session.status === 'visitor'
        ? VISITOR
        : waited
          ? (session.guess ?? VISITOR)
          : undefined
  if (owner === undefined) return <Opening />
  const name = owner.toLowerCase()
  return (
    <WorkspacesProvider key={name} owner={name} opening={<Opening />}>
      {(workspace) => <Studio key={workspace} owner={name} workspace={workspace} page={page} />}
    </WorkspacesProvider>
  )
}

/** Follows the deep link of the URL, once the document is open. */
function FollowDeepLink() {
  const { store, library, openTab, openName, announce } = useStudio()
  const remix = useRemix()
  const isOwn = useIsOwn()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the two are other functions with every render
  useEffect(() => {
    // Read at each effect: a link that was followed is removed from the URL.
    const link = readDeepLink(window.location.search)
    if (link === undefined) return
    const { action, kind, name } = link
    const done = () => window.history.replaceState(null, '', withoutDeepLink(window.location.href))
    // An own entry shows its body; a published one does not.
    const show = () =>
      kind === 'connector' ? openTab({ kind: 'published', entity: kind, name }) : openName(kind, name)
    if (action === 'open' && kind !== 'connector') {
      show()
      done()
      return
    }
    const found = library.find(kind, name)
    if (found === 'unknown') {
      announce(`Looking up ${name}…`)
      return
    }
    done()
    if (found === 'absent' || !isRemixable(found)) {
      show()
      announce(
        found === 'absent'
          ? `There is no ${kind} called ${name}.`
          : `No source of ${name} is published, so there is nothing to remix.`,
      )
      return
    }
    if (action === 'fork') {
      void remix(found)
      return
    }
    // One's own is shown as it is published; a remix that was begun is gone on with.
    if (found.address === undefined || isOwn(found)) openName(kind, name)
    else {
      const begun = store
        .getState()
        .document.entries.findLast(({ madeFrom }) => madeFrom?.contentHash === found.contentHash)
      if (begun === undefined) void remix(found)
      else openTab({ kind: 'entry', entryId: begun.id })
    }
  }, [store, library, openTab, openName, announce])
  return null
}

/** Over the window: what the address led to, and the ways on. */
function LookNotice({
  state,
  onKeep,
  onLeave,
}: {
  state: LookState
  /** @param arrived Whether it was chosen before the studio was opened. */
  onKeep: (arrived: boolean) => Promise<void>
  onLeave: () => void
}) {
  const [keeping, setKeeping] = useState(false)
  const [arriving, setArriving] = useState(false)
  const isOpen = state.kind === 'open'
  const arrive = useEffectEvent(() => {
    if (!takeKeepOnArrival()) return
    setArriving(true)
    void onKeep(true).finally(() => setArriving(false))
  })
  useEffect(() => {
    if (isOpen) arrive()
  }, [isOpen])
  if (state.kind === 'none') return null
  if (state.kind === 'opening' || arriving) {
    return (
      <p role="status" className="border-line border-b bg-sunk px-3 py-2 text-sm">
        Opening what this link holds…
      </p>
    )
  }
  return (
    <section
      aria-label="Shared draft"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-calm-line border-b bg-calm px-3 py-1.5 text-sm"
    >
      {state.kind === 'failed' ? (
        <p role="alert" className="min-w-0 flex-1 basis-64 [overflow-wrap:anywhere]">
          {state.sentence}
        </p>
      ) : (
        <p className="min-w-0 flex-1 basis-64">
          <strong className="[overflow-wrap:anywhere]">{state.look.name}</strong> was shared with you. Play
          and change it as you like: your own work stays as it is.
        </p>
      )}
      <span className="flex gap-2">
        {isOpen ? (
          <Button
            look="primary"
            size="small"
            disabled={keeping}
            onClick={() => {
              setKeeping(true)
              void onKeep(false).finally(() => setKeeping(false))
            }}
          >
            Keep this
          </Button>
        ) : null}
        <Button size="small" onClick={onLeave}>
          To my own work
        </Button>
      </span>
    </section>
  )
}
