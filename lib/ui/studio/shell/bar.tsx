'use client'

import { ChevronDown, Ellipsis, Folder, Redo2, Search, Share2, Sparkles, Undo2, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { type Action, type ActionId, groupsOf } from '#lib/studio/actions.ts'
import { same } from '#lib/studio/document/same.ts'
import { type Entry, type Tab, tabKey, withoutTab } from '#lib/studio/document/types.ts'
import type { Autosave } from '#lib/studio/keep/autosave.ts'
import type { SessionState } from '#lib/studio/session-state.ts'
import { Button, Press } from '#lib/ui/kit/button.tsx'
import { IconButton } from '#lib/ui/kit/icon-button.tsx'
import { Menu } from '#lib/ui/kit/menu.tsx'
import { useCurrentSession, useSession } from '../common/session.tsx'
import { useWorkspaceName } from '../workspaces/use-workspaces.ts'
import { usePlan } from './entry-editor.tsx'
import { SmallMark } from './entry-list.tsx'
import { InBar } from './frame.tsx'
import { SaveStatus } from './save-status.tsx'

/**
 * The document's part of the bar: its menu, undo, what is open, whether it is saved, and the one primary action.
 *
 * @param front Id of the entry in front; undefined when nothing can be published.
 * @param looking Whether the document belongs to another user: it is neither stored nor published from here.
 * @param assisting Whether the assistant is shown.
 * @param exploring Whether variations are shown; undefined when what is in front has none.
 */
export function Bar({
  autosave,
  commands,
  tabs,
  front,
  looking,
  exploring,
  assisting,
  onExplore,
}: {
  autosave: Autosave
  commands: readonly Action[]
  tabs: ReactNode
  front: string | undefined
  looking: boolean
  exploring: boolean | undefined
  assisting: boolean
  onExplore: () => void
}) {
  const [planned, plan] = usePlan(front)
  const of = (id: ActionId) => commands.find((action) => action.id === id)
  const current = useWorkspaceName()
  return (
    <InBar>
      <Menu
        label={looking ? 'Shared draft' : `Workspace: ${current}`}
        marks={{ 'data-workspaces': '' }}
        className="max-w-44 shrink-0 font-medium"
        trigger={
          <>
            <Folder className="size-4.5 sm:hidden" aria-hidden="true" />
            <span className="truncate max-sm:sr-only">{looking ? 'Shared draft' : current}</span>
            <ChevronDown className="size-3.5 shrink-0" aria-hidden="true" />
          </>
        }
        groups={groupsOf(commands, 'make', 'entry', 'workspace')}
      />
      <ActionButton action={of('undo')} label="Undo" className="max-xs:hidden">
        <Undo2 />
      </ActionButton>
      <ActionButton action={of('redo')} label="Redo" className={ROOMY}>
        <Redo2 />
      </ActionButton>
      <div className="min-w-0 flex-1 self-stretch max-panes:invisible">{tabs}</div>
      {looking ? null : <SaveStatus autosave={autosave} />}
      <Button
        size="small"
        aria-pressed={exploring ?? false}
        disabled={exploring === undefined}
        title="Variations of what is open"
        onClick={onExplore}
        className="shrink-0 max-bar:hidden"
      >
        Explore
      </Button>
      {of('assistant') === undefined ? null : (
        <IconButton
          label="Assistant"
          data-opens-assistant
          aria-expanded={assisting}
          onClick={of('assistant')?.run}
          className={`${ROOMY} aria-expanded:text-accent`}
        >
          <Sparkles />
        </IconButton>
      )}
      <ActionButton action={of('palette')} className={ROOMY}>
        <Search />
      </ActionButton>
      {looking ? null : (
        <>
          <ActionButton action={of('share')} label="Share" className={ROOMY}>
            <Share2 />
          </ActionButton>
          <Button
            look={planned ? 'outline' : 'filled'}
            size="small"
            aria-expanded={front === undefined ? undefined : planned}
            disabled={front === undefined}
            onClick={() => plan(!planned)}
            className="shrink-0 sm:px-4"
          >
            Publish
          </Button>
        </>
      )}
      <Menu
        label="More"
        className="shrink-0"
        trigger={<Ellipsis className="size-4.5" aria-hidden="true" />}
        groups={groupsOf(commands, 'edit', 'help', 'site')}
      />
    </InBar>
  )
}

/** @param label Accessible name, where it is shorter than what the action says. */
function ActionButton({
  action,
  label,
  className = '',
  children,
}: {
  action: Action | undefined
  label?: string
  className?: string
  children: ReactNode
}) {
  if (action === undefined) return null
  return (
    <IconButton
      label={label ?? action.label}
      title={action.label.replace(/…$/, '')}
      disabled={!action.enabled}
      onClick={action.run}
      className={className}
    >
      {children}
    </IconButton>
  )
}

/** Where the bar has no room for them, these are in a menu only. */
const ROOMY = 'max-bar:hidden'

/** Open tabs with what they name; the document changes more often than that. */
function openTabsOf({ view, document }: SessionState) {
  return view.tabs.flatMap((tab): (Pick<Entry, 'kind' | 'name'> & { readonly tab: Tab })[] => {
    if (tab.kind === 'published') return [{ tab, kind: tab.entity, name: tab.name }]
    const entry = document.entries.find(({ id }) => id === tab.entryId)
    return entry ? [{ tab, kind: entry.kind, name: entry.name || 'no name yet' }] : []
  })
}

/** Tabs of the open entries, the one in front marked. */
export function OpenTabs() {
  const { document: store, openTab } = useCurrentSession()
  const view = useSession((state) => state.view)
  const tabs = useSession(openTabsOf, same)
  const strip = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab in front is brought into sight
  useEffect(() => {
    const tab = strip.current?.querySelector('[aria-current]')?.parentElement?.getBoundingClientRect()
    const shown = strip.current?.getBoundingClientRect()
    if (tab === undefined || shown === undefined) return
    const by = tab.left < shown.left ? tab.left - shown.left : Math.max(0, tab.right - shown.right)
    strip.current?.scrollBy({ left: by })
  }, [view.active])
  if (tabs.length === 0) return null
  return (
    <nav ref={strip} aria-label="Open" className="h-full overflow-x-auto [scrollbar-width:none]">
      <ul className="flex h-full gap-0.5">
        {tabs.map(({ tab, ...what }) => {
          const key = tabKey(tab)
          const current = key === view.active
          return (
            <li
              key={key}
              className={`flex shrink-0 items-center border-b-2 ${current ? 'border-accent' : 'border-transparent'} ${tab.kind === 'published' ? 'italic' : ''}`}
            >
              <Press
                aria-current={current ? 'page' : undefined}
                onClick={() => openTab(tab)}
                className="mono flex min-h-10 max-w-44 items-center gap-1 pr-1 pl-2 text-sm hover:text-accent touch:min-h-11"
              >
                <SmallMark kind={what.kind} />
                <span className="truncate">{what.name}</span>
                {tab.kind === 'published' ? <span className="sr-only">read-only</span> : null}
              </Press>
              <IconButton
                label={`Close ${what.name}`}
                size="size-8"
                onClick={() => store.setView((before) => withoutTab(before, key))}
              >
                <X aria-hidden="true" />
              </IconButton>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
