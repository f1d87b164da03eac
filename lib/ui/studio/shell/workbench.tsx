'use client'

import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { useMac } from '../common/action-bar.tsx'
import { BarButton } from '../common/bar-button.tsx'
import { useStudio } from '../common/context.tsx'
import { useEditorChoice, useGraphFits } from '../common/editor-choice.ts'
import { matchesShortcut, shortcutText } from '../common/shortcut.ts'
import { tabKey } from '../document/types.ts'
import { LessonHost } from '../lessons/lesson-host.tsx'
import { LessonsButton } from '../lessons/lesson-list.tsx'
import { KnownNames, LibraryPanel } from '../library/library-panel.tsx'
import { EntryResults } from '../results/entry-results.tsx'
import type { Autosave } from '../storage/autosave.ts'
import { TransportBar } from '../transport/transport-bar.tsx'
import { Copies, OfflineBanner, VisitorWork } from '../workspaces/notices.tsx'
import { HistoryButton } from '../workspaces/versions-dialog.tsx'
import { WorkspaceButton } from '../workspaces/workspace-button.tsx'
import { FindDialog, ShortcutsDialog } from './dialogs.tsx'
import { EntryEditor } from './entry-editor.tsx'
import { EntryList } from './entry-list.tsx'
import { download, FileButtons } from './file-buttons.tsx'
import { OpenTabs } from './open-tabs.tsx'
import { PublishedView } from './published-view.tsx'
import { SaveStatus } from './save-status.tsx'
import { Start } from './start.tsx'

/** The bar, the lists, and the editor of what is open. */
export function Workbench({ autosave, said }: { autosave: Autosave; said: string }) {
  const { store, state } = useStudio()
  const [dialog, setDialog] = useState<'find' | 'shortcuts'>()
  const mac = useMac()
  const area = useFocusRecovery<HTMLDivElement>()
  const shows = (which: typeof dialog) => ({
    open: dialog === which,
    onOpenChange: (open: boolean) => setDialog(open ? which : undefined),
  })

  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      // Editors that have a shortcut of their own have used it already.
      const action = event.defaultPrevented ? undefined : globalAction(event)
      if (action === undefined) return
      event.preventDefault()
      if (action === 'undo') store.undo()
      else if (action === 'redo') store.redo()
      else setDialog(action)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [store])

  return (
    <div data-studio>
      <div className="flex flex-wrap items-center gap-x-1 gap-y-1 border-line border-y py-1">
        <WorkspaceButton />
        <BarButton
          disabled={state.undoLabel === undefined}
          shortcut={shortcutText('Mod+Z', mac)}
          title={state.undoLabel && `Undo: ${state.undoLabel}`}
          onClick={() => store.undo()}
        >
          Undo
        </BarButton>
        <BarButton
          disabled={state.redoLabel === undefined}
          shortcut={shortcutText('Mod+Shift+Z', mac)}
          title={state.redoLabel && `Redo: ${state.redoLabel}`}
          onClick={() => store.redo()}
        >
          Redo
        </BarButton>
        <BarButton shortcut={shortcutText('Mod+K', mac)} onClick={() => setDialog('find')}>
          Find
        </BarButton>
        <FileButtons />
        <HistoryButton />
        <BarButton shortcut="?" onClick={() => setDialog('shortcuts')}>
          Shortcuts
        </BarButton>
        <LessonsButton />
        <span className="ml-auto flex items-center gap-3 py-1">
          <SaveStatus autosave={autosave} />
        </span>
      </div>
      <Unreadable autosave={autosave} />
      <VisitorWork />
      <Copies />
      <OfflineBanner />
      <p role="status" className="min-h-6 py-1 text-sm [overflow-wrap:anywhere]">
        {said}
      </p>
      <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[15rem_minmax(0,1fr)]">
        <aside aria-label="Your work and the library" className="min-w-0">
          <Lists />
        </aside>
        <div ref={area} tabIndex={-1} className="min-w-0 outline-none">
          <OpenTabs />
          <div className="pt-4">
            <Front />
          </div>
        </div>
      </div>
      <div className="sticky bottom-0 z-10">
        <TransportBar />
      </div>
      <KnownNames />
      <FindDialog {...shows('find')} />
      <ShortcutsDialog {...shows('shortcuts')} />
      <LessonHost />
    </div>
  )
}

/** Beside the editor where there is room; on a phone a part that opens. */
function Lists() {
  const lists = (
    <div className="space-y-6">
      <EntryList />
      <LibraryPanel />
    </div>
  )
  return (
    <>
      <details className="rounded-md border border-line lg:hidden">
        <summary className="min-h-11 cursor-pointer px-3 py-2.5 font-medium text-sm">
          Your work and the library
        </summary>
        <div className="px-3 pb-3">{lists}</div>
      </details>
      <div className="max-lg:hidden">{lists}</div>
    </>
  )
}

/** The editor of the tab in front. */
function Front() {
  const { state } = useStudio()
  const [{ editor, wide }] = useEditorChoice()
  const room = useGraphFits()
  const { view, document } = state
  const tab = view.tabs.find((open) => tabKey(open) === view.active)
  if (tab?.kind === 'published') return <PublishedView kind={tab.entity} name={tab.name} />
  const entry = document.entries.find(({ id }) => id === tab?.entryId)
  if (entry === undefined) return <Start />
  return (
    <div
      key={entry.id}
      className={
        entry.kind === 'connector' && !(editor === 'graph' && room && wide)
          ? 'gap-x-8 min-[90rem]:grid min-[90rem]:grid-cols-[minmax(0,1fr)_31rem]'
          : ''
      }
    >
      <EntryEditor entry={entry} />
      {entry.kind === 'connector' ? <EntryResults entry={entry} /> : null}
    </div>
  )
}

/** Offers work that this version cannot read as a file. */
function Unreadable({ autosave }: { autosave: Autosave }) {
  const [done, setDone] = useState(false)
  const text = autosave.unreadable()
  if (text === undefined || done) return null
  return (
    <div role="alert" className="my-3 rounded-lg border border-calm-line bg-calm p-4">
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

function globalAction(
  event: globalThis.KeyboardEvent | KeyboardEvent,
): 'undo' | 'redo' | 'find' | 'shortcuts' | undefined {
  if (matchesShortcut(event, 'Mod+Z')) return 'undo'
  if (matchesShortcut(event, 'Mod+Shift+Z') || matchesShortcut(event, 'Mod+Y')) return 'redo'
  if (matchesShortcut(event, 'Mod+K')) return 'find'
  const typing =
    event.target instanceof HTMLElement && event.target.closest('input, textarea, [contenteditable]')
  if (!typing && matchesShortcut(event, '?')) return 'shortcuts'
  return undefined
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
