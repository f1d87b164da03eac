'use client'

import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useAssistant } from '#lib/features/assistant/ui/index.ts'
import type { Handlers } from '#lib/studio/actions.ts'
import { same } from '#lib/studio/document/same.ts'
import { type Entry, entryInFront, type StudioDocument, tabInFront } from '#lib/studio/document/types.ts'
import type { Autosave } from '#lib/studio/keep/autosave.ts'
import { Boundary } from '#lib/ui/kit/boundary.tsx'
import { Button } from '#lib/ui/kit/button.tsx'
import { FileField } from '#lib/ui/kit/field.tsx'
import { LoadLater, laterPart } from '#lib/ui/kit/load-later.tsx'
import { type Message, Toast } from '#lib/ui/kit/toast.tsx'
import { StudioDialog } from '../common/dialog.tsx'
import { useCurrentSession, useSession } from '../common/session.tsx'
import { useKeys } from '../common/use-keys.ts'
import { LessonHost, LessonList, useInLesson } from '../lessons/lesson-list.tsx'
import { KnownNames, LibraryPanel } from '../library/library-panel.tsx'
import { TemplateCards } from '../templates/template-cards.tsx'
import { TransportBar } from '../transport/transport-bar.tsx'
import { Copies, OfflineBanner, VisitorWork } from '../workspaces/notices.tsx'
import { Bar, OpenTabs } from './bar.tsx'
import { type DialogName, download, type EntryHead, useCommands, useFileImport } from './commands.ts'
import { EntryEditor, usePlan } from './entry-editor.tsx'
import { EntryList } from './entry-list.tsx'
import { Panes } from './panes.tsx'
import { PublishedView } from './published-view.tsx'
import { ResultPane } from './result-pane.tsx'
import { SaveTrouble } from './save-status.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { Start } from './start.tsx'

const palette = laterPart('The palette', async () => (await import('./palette.tsx')).Palette)

const shareLinks = laterPart('Sharing', async () => (await import('../share/share-links.tsx')).ShareLinks)

const versions = laterPart('The history', async () => (await import('../workspaces/versions.tsx')).Versions)

/**
 * The bar, the panes, and what opens over them.
 *
 * @param piece Whether it begins with what is heard and seen, without its editor.
 * @param look Of a shared draft that is looked at: what can be done with it.
 * @param notice What the address led to.
 */
export function Workbench({
  autosave,
  message,
  piece,
  look,
  notice,
}: {
  autosave: Autosave
  message: StudioMessage | undefined
  piece: boolean
  look: Handlers | undefined
  notice: ReactNode
}) {
  const front = useSession(({ view }) => tabInFront(view))
  const entry = useSession(({ document, view }) => headOf(entryInFront(document, view)), same)
  const plays = useSession(({ document, view }) => {
    const front = entryInFront(document, view)
    return front?.kind === 'connector' && front.dimensions.length > 0
  })
  const active = useSession(({ view }) => view.active)
  const [dialog, setDialog] = useState<DialogName>()
  const inLesson = useInLesson()
  const area = useFocusRecovery<HTMLDivElement>()
  const file = useFileImport()
  const [publishing] = usePlan(entry?.id)
  const [explored, explore] = useState<string>()
  const isExploring = entry?.kind === 'connector' && explored === entry.id
  const session = useCurrentSession()
  const assistant = useAssistant(session, () => {
    const opener = document.querySelector<HTMLElement>('[data-opens-assistant]')
    opener?.focus()
    // Narrow windows have it in a menu.
    if (document.activeElement !== opener) area.current?.focus({ preventScroll: true })
  })
  const openers = {
    show: setDialog,
    chooseFile: file.choose,
    explore: () => explore(entry?.id),
    assist: assistant.toggle,
  }
  const commands = useCommands(entry, openers, look)
  const looking = look !== undefined
  const closeDialog = () => setDialog(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a dialog was about the document before
  useEffect(closeDialog, [looking])
  const shows = (which: DialogName) => ({
    open: dialog === which,
    onOpenChange: (open: boolean) => setDialog(open ? which : undefined),
  })

  useKeys((id) => {
    const action = commands.find((each) => each.id === id)
    if (action?.enabled) action.run()
    return action !== undefined
  })

  return (
    <>
      <Bar
        autosave={autosave}
        commands={commands}
        tabs={piece ? null : <OpenTabs />}
        front={entry?.id}
        looking={looking}
        exploring={entry?.kind === 'connector' ? isExploring : undefined}
        assisting={assistant.isShown}
        onExplore={() => explore(isExploring ? undefined : entry?.id)}
      />
      <div className="shrink-0">
        {notice}
        <SaveTrouble autosave={autosave} />
        <Unreadable autosave={autosave} />
        <VisitorWork />
        <Copies />
        <OfflineBanner />
      </div>
      <div className="relative flex min-h-0 flex-1">
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <Panes
            piece={piece}
            begins={plays && !inLesson ? 'result' : 'edit'}
            front={active}
            exploring={isExploring}
            publishing={publishing}
            tabs={<OpenTabs />}
            parts={
              <div className="space-y-6">
                <Boundary what="The list of your work">
                  <EntryList />
                </Boundary>
                <Boundary what="The library">
                  <LibraryPanel />
                </Boundary>
              </div>
            }
            editor={
              <div ref={area} tabIndex={-1} className="flex min-h-full flex-1 flex-col outline-none">
                <Boundary of={active} what="This editor">
                  <Front onAssist={assistant.toggle} />
                </Boundary>
              </div>
            }
            result={
              entry === undefined && front?.kind !== 'published' ? undefined : (
                <Boundary of={active} what="The result">
                  <ResultPane
                    explored={isExploring ? entry.id : undefined}
                    onLeave={() => explore(undefined)}
                  />
                </Boundary>
              )
            }
            lesson={<LessonHost />}
          />
        </div>
        {assistant.panel}
      </div>
      <FileField
        label="File to import"
        onFiles={([chosen]) => chosen && void file.open(chosen)}
        ref={file.input}
        accept=".json,application/json"
      />
      <div className="shrink-0">
        <Messages message={message} />
        <Boundary what="The transport">
          <TransportBar />
        </Boundary>
      </div>
      <KnownNames />
      <StudioDialog {...shows('palette')} title="Find and commands">
        <LoadLater part={palette} props={{ commands, onDone: closeDialog }} opening="Opening…" />
      </StudioDialog>
      <StudioDialog {...shows('shortcuts')} title="Shortcuts" focusTitle>
        <Shortcuts />
      </StudioDialog>
      <StudioDialog {...shows('templates')} title="Templates" wide>
        <div className="@container pt-3">
          <TemplateCards onOpen={closeDialog} />
        </div>
      </StudioDialog>
      <StudioDialog
        {...shows('lessons')}
        title="Lessons"
        description="Each works in the studio itself, on pieces of its own. Your work stays as it is."
      >
        <LessonList onBegin={closeDialog} />
      </StudioDialog>
      <StudioDialog
        {...shows('history')}
        title="History"
        description="What your account kept of this workspace: often in the last hour, now and then before."
        wide
      >
        <LoadLater part={versions} props={{ onDone: closeDialog }} opening="Opening…" />
      </StudioDialog>
      <StudioDialog
        {...shows('share')}
        title="Share"
        description="Anyone with the link can open, play and keep a copy, without signing in. Your own stays as it is."
        focusTitle
        wide
      >
        <LoadLater part={shareLinks} props={{ entryId: entry?.id }} opening="Opening…" />
      </StudioDialog>
    </>
  )
}

/** A message, and the document after the edit that it is about: it leaves with the next edit, for good. */
export interface StudioMessage extends Message {
  readonly edited: StudioDocument | undefined
}

function Messages({ message }: { message: StudioMessage | undefined }) {
  const store = useCurrentSession().document
  const isLastEdit = useSession(({ document }) => document === message?.edited)
  const [ended, setEnded] = useState<StudioMessage>()
  // Undo leads back to the same document.
  if (message?.edited !== undefined && !isLastEdit && ended !== message) setEnded(message)
  return (
    <Toast message={ended === message ? undefined : message} onUndo={isLastEdit ? store.undo : undefined} />
  )
}

/** Facts of an entry that the bar and its commands show. */
function headOf(entry: Entry | undefined): EntryHead | undefined {
  return entry && { id: entry.id, kind: entry.kind, name: entry.name }
}

/** The editor of the tab in front. */
function Front({ onAssist }: { onAssist: (() => void) | undefined }) {
  const tab = useSession(({ view }) => tabInFront(view))
  const entry = useSession(({ document, view }) => entryInFront(document, view))
  if (tab?.kind === 'published') return <PublishedView kind={tab.entity} name={tab.name} />
  return entry === undefined ? <Start onAssist={onAssist} /> : <EntryEditor key={entry.id} entry={entry} />
}

/** Offers work that this version cannot read as a file. */
function Unreadable({ autosave }: { autosave: Autosave }) {
  const [done, setDone] = useState(false)
  const text = autosave.unreadable()
  if (text === undefined || done) return null
  return (
    <div role="alert" className="m-3 rounded-lg border border-calm-line bg-calm p-4">
      <p>
        What this browser had kept cannot be read by this version of the studio. It has been put aside, and
        you can keep it as a file.
      </p>
      <div className="mt-3 flex gap-3">
        <Button onClick={() => download(text, 'kept-work.json')}>Keep it as a file</Button>
        <Button onClick={() => setDone(true)}>Go on</Button>
      </div>
    </div>
  )
}

const ROWS = '[role=treegrid] [data-row]'

/**
 * Restores the focus when the focused element is removed, by undo or by its own action: to the line at that index,
 * else to the area, not to the top of the page.
 *
 * @returns a ref for the area, which needs `tabIndex={-1}`.
 */
function useFocusRecovery<E extends HTMLElement>(): RefObject<E | null> {
  const area = useRef<E>(null)
  useEffect(() => {
    const root = area.current
    if (root === null) return
    let held: { readonly element: Element; readonly row: number } | undefined

    const takes = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      const row = target.closest(ROWS)
      held = { element: target, row: row === null ? -1 : [...root.querySelectorAll(ROWS)].indexOf(row) }
    }
    // Removing the focused element fires `focusout` too; a blurred one stays connected.
    const leaves = () => queueMicrotask(() => held?.element.isConnected && forget())
    const forget = () => {
      if (held?.element !== document.activeElement) held = undefined
    }
    const observer = new MutationObserver(() => {
      if (held === undefined || held.element.isConnected) return
      const { row } = held
      held = undefined
      if (document.activeElement !== document.body) return
      const rows = root.querySelectorAll<HTMLElement>(ROWS)
      const next = row < 0 ? undefined : rows[Math.min(row, rows.length - 1)]
      ;(next ?? root).focus({ preventScroll: next === undefined })
    })
    root.addEventListener('focusin', takes)
    root.addEventListener('focusout', leaves)
    observer.observe(root, { childList: true, subtree: true })
    return () => {
      root.removeEventListener('focusin', takes)
      root.removeEventListener('focusout', leaves)
      observer.disconnect()
    }
  }, [])
  return area
}
