'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { browserMemory, tabMemory } from '#lib/browser/memory.ts'
import { kindWord } from '#lib/protocol/kind-name.ts'
import type { StudioDocument } from '#lib/studio/document/types.ts'
import type { Autosave } from '#lib/studio/keep/autosave.ts'
import { readDeepLink, withoutDeepLink } from '#lib/studio/keep/deep-link.ts'
import { takeKeepOnArrival } from '#lib/studio/keep/link.ts'
import { VISITOR } from '#lib/studio/keep/workspace-store.ts'
import { createProgressStores } from '#lib/studio/lessons/progress.ts'
import { createLiveLibrary, type LiveLibrary, readEntities } from '#lib/studio/library/live-library.ts'
import { createSession, type Session, type Surroundings } from '#lib/studio/session.ts'
import { Notice } from '#lib/ui/components/notice.tsx'
import { useValue } from '#lib/ui/components/value.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { loadAhead } from '#lib/ui/kit/load-later.tsx'
import { useSession as useAccountSession } from '#lib/ui/wallet/session/use-session.ts'
import { pageEngine, pageSound } from '../common/page.ts'
import { SessionProvider, useCurrentSession, useSession } from '../common/session.tsx'
import { keepLook, type LookState, useLook } from '../share/look.ts'
import { useIsOwn } from '../share/origin-line.tsx'
import { useWorkspaces } from '../workspaces/use-workspaces.ts'
import { WorkspacesProvider } from '../workspaces/workspaces-dialog.tsx'
import { outline } from './connector-editor.tsx'
import { isRemixable, useChangeShown, useRemix } from './published-view.tsx'
import { entryResults, publishedResults } from './result-pane.tsx'
import { type StudioMessage, Workbench } from './workbench.tsx'

/**
 * The studio: one session and its editors. Another workspace needs another `key`, so that nothing of one is shown in the
 * other.
 *
 * @param workspace Id of the workspace.
 * @param sitting Where the session is noted while it is open.
 * @param page What outlives the change to another workspace.
 */
function Studio({
  workspace,
  sitting,
  page,
}: {
  workspace: string
  sitting: RefObject<Session | undefined>
  page: StudioPage
}) {
  const { message, surroundings, shared, leave } = page
  const { announce, library } = surroundings
  const { manager } = useWorkspaces()
  const [ownSession] = useState(() => createSession(surroundings))
  const look = shared.kind === 'open' ? shared.look : undefined
  const session = look?.session ?? ownSession
  const [queries] = useState(
    () => new QueryClient({ defaultOptions: { queries: { staleTime: 30_000, retry: 1 } } }),
  )
  const autosave = useValue(ownSession.save)

  useEffect(() => {
    ownSession.keepIn({ owner: manager.owner, workspace, onSave: manager.changed })
  }, [ownSession, workspace, manager])
  useEffect(() => {
    sitting.current = ownSession
    return () => {
      sitting.current = undefined
      void ownSession.leave()
    }
  }, [ownSession, sitting])
  useEffect(() => library.readAs(manager.owner), [library, manager.owner])
  const reader = useRef(manager.owner)
  useEffect(() => {
    if (reader.current === manager.owner) return
    reader.current = manager.owner
    void queries.invalidateQueries()
  }, [manager.owner, queries])

  const keep = async (arrived = false) => {
    if (look === undefined) return
    const { kept, sentence } = await keepLook(look, ownSession)
    if (kept) leave(arrived)
    announce(sentence, kept ? ownSession.document.getState().document : undefined)
  }
  const leaveLook = () => {
    const changed = look !== undefined && look.session.document.history().past.length > 0
    leave()
    if (changed) announce('What you changed there was not kept. Back in the browser leads to it again.')
  }
  const [isMade, setMade] = useState(() => tabMemory.read(MADE) !== undefined)
  const showMade = (shown: boolean) => {
    tabMemory.write(MADE, shown ? 'shown' : undefined)
    setMade(shown)
  }
  const lookActions = look && { 'keep-look': { run: () => void keep() }, 'leave-look': { run: leaveLook } }

  return (
    <QueryClientProvider client={queries}>
      <SessionProvider value={session}>
        {autosave === undefined ? (
          <Opening />
        ) : (
          <Opened autosave={autosave} follow={shared.kind === 'none'}>
            <Workbench
              autosave={autosave}
              message={message}
              piece={look !== undefined && !isMade}
              look={lookActions}
              notice={
                <LookNotice
                  state={shared}
                  made={isMade}
                  onMade={showMade}
                  onKeep={keep}
                  onLeave={leaveLook}
                />
              }
            />
          </Opened>
        )}
      </SessionProvider>
    </QueryClientProvider>
  )
}

/** Key in the memory of the tab, set while shared drafts are opened with their editors: a link opens as a piece. */
const MADE = 'weft-how-made'

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

/** Time for which the studio waits for the session. Then it works without the server. */
const TIMEOUT_MS = 4_000

interface StudioPage {
  readonly message: StudioMessage | undefined
  readonly surroundings: Surroundings & { readonly library: LiveLibrary }
  /** The shared draft that the address leads to. */
  readonly shared: LookState
  readonly leave: (replace?: boolean) => void
}

function useStudioPage(): StudioPage {
  const [message, setMessage] = useState<StudioMessage>()
  const [surroundings] = useState(() => ({
    engine: pageEngine,
    sound: pageSound(),
    library: createLiveLibrary(readEntities),
    announce: (text: string, edited?: StudioDocument) => setMessage({ text, edited }),
    lessons: createProgressStores(browserMemory),
  }))
  const [shared, leave] = useLook(surroundings)
  useEffect(() => surroundings.library.start(), [surroundings])
  useEffect(() => void removeServiceWorker(), [])
  // They come while the session is asked for, and are there before a piece is open.
  useEffect(() => loadAhead(outline, entryResults, publishedResults), [])
  return { message, surroundings, shared, leave }
}

/** Removes the service worker that releases before 0.5 left in browsers, with all that it stored. */
async function removeServiceWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  try {
    const registration = await navigator.serviceWorker.getRegistration('/studio')
    if (registration === undefined) return
    await registration.unregister()
    for (const name of await caches.keys()) if (name.startsWith('weft-studio-')) await caches.delete(name)
  } catch {
    // Private windows, and policies of a browser's owner.
  }
}

/** The studio of the account, or of a visitor. */
export function OwnStudio() {
  const session = useAccountSession()
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
  return <Sittings owner={owner.toLowerCase()} known={session.status !== 'unknown'} page={page} />
}

/**
 * One sitting after the other: a visitor who signs in goes on in the same, and everybody else begins another.
 *
 * @param known Whether it is certain that the owner is that.
 */
function Sittings({ owner, known, page }: { owner: string; known: boolean; page: StudioPage }) {
  const [turn, setTurn] = useState({ owner, known, number: 0 })
  const sitting = useRef<Session>(undefined)
  if (turn.owner !== owner || turn.known !== known) {
    const goesOn = turn.owner === owner || (turn.owner === VISITOR && turn.known)
    setTurn({ owner, known, number: goesOn ? turn.number : turn.number + 1 })
  }
  return (
    <WorkspacesProvider
      key={turn.number}
      owner={owner}
      leave={async () => sitting.current?.leave()}
      opening={<Opening />}
    >
      {(workspace) => <Studio key={workspace} workspace={workspace} sitting={sitting} page={page} />}
    </WorkspacesProvider>
  )
}

/** Follows the deep link of the URL, once the document is open. */
function FollowDeepLink() {
  const { document: store, openTab, openName, announce } = useCurrentSession()
  const library = useSession((state) => state.library)
  const remix = useRemix()
  const change = useChangeShown()
  const isOwn = useIsOwn()
  const session = useAccountSession()
  // The studio opens with the account of the last page when the site is slow to say whose session it is.
  const isUndecided = session.status === 'unknown' && session.guess !== undefined
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
    const entity = library.find(kind, name)
    // Whether it is one's own decides what the link does.
    if (entity === 'unknown' || (isUndecided && action !== 'fork')) {
      announce(`Looking up ${name}…`)
      return
    }
    done()
    if (entity === 'absent' || !isRemixable(entity)) {
      show()
      announce(
        entity === 'absent'
          ? `There is no ${kindWord(kind)} called ${name}.`
          : `No source of ${name} is published, so there is nothing to remix.`,
      )
      return
    }
    if (action === 'fork') {
      void remix(entity)
      return
    }
    if (action === 'change' && entity.kind === 'connector' && entity.address !== undefined && isOwn(entity)) {
      void change(entity)
      return
    }
    // One's own is shown as it is published; a remix that was begun is gone on with.
    if (entity.address === undefined || isOwn(entity)) openName(kind, name)
    else {
      const begun = store
        .getState()
        .document.entries.findLast(({ madeFrom }) => madeFrom?.contentHash === entity.contentHash)
      if (begun === undefined) void remix(entity)
      else openTab({ kind: 'entry', entryId: begun.id })
    }
  }, [store, library, openTab, openName, announce, isUndecided])
  return null
}

/** Over the window: what the address led to, and the ways on. */
function LookNotice({
  state,
  made,
  onMade,
  onKeep,
  onLeave,
}: {
  state: LookState
  /** Whether its editor is shown. */
  made: boolean
  onMade: (shown: boolean) => void
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
          <strong className="[overflow-wrap:anywhere]">{state.look.name}</strong> was shared with you.{' '}
          <span className="max-sm:sr-only">
            Play and change it as you like: your own work stays as it is.
          </span>
        </p>
      )}
      <span className="flex flex-wrap gap-1 sm:gap-2">
        {isOpen ? (
          <Button
            look="filled"
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
        {isOpen ? (
          <Button size="small" aria-pressed={made} onClick={() => onMade(!made)}>
            See how it is made
          </Button>
        ) : null}
        <Button look="text" size="small" onClick={onLeave}>
          To my own work
        </Button>
      </span>
    </section>
  )
}
