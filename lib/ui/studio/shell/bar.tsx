'use client'

import { ChevronDown, Ellipsis, Redo2, Search, Share2, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../../components/icon-button.tsx'
import { useStudio } from '../common/context.tsx'
import { Menu } from '../common/menu.tsx'
import type { Autosave } from '../storage/autosave.ts'
import { useWorkspaces } from '../workspaces/use-workspaces.ts'
import type { Commands } from './commands.ts'
import { usePlan } from './entry-editor.tsx'
import { InBar } from './frame.tsx'
import { SaveStatus } from './save-status.tsx'

/**
 * The document's part of the bar: its menu, undo, what is open, whether it is saved, and the one primary action.
 *
 * @param front Id of the entry in front; undefined when nothing can be published.
 * @param looking Whether the document belongs to another user: it is neither stored nor published from here.
 * @param exploring Whether variations are shown; undefined when what is in front has none.
 */
export function Bar({
  autosave,
  commands,
  tabs,
  front,
  looking,
  exploring,
  onExplore,
  onFind,
  onShare,
}: {
  autosave: Autosave
  commands: Commands
  tabs: ReactNode
  front: string | undefined
  looking: boolean
  exploring: boolean | undefined
  onExplore: () => void
  onFind: () => void
  onShare: () => void
}) {
  const { store, state } = useStudio()
  const workspaces = useWorkspaces().state
  const [planned, plan] = usePlan(front)
  const current = workspaces.items.find(({ id }) => id === workspaces.current)?.name ?? 'My work'
  return (
    <InBar>
      <Menu
        label={looking ? 'Shared draft' : `Workspace: ${current}`}
        marks={{ 'data-workspaces': '' }}
        className="min-w-0 max-w-44 font-medium max-sm:max-w-28 sm:shrink-0"
        trigger={
          <>
            <span className="truncate">{looking ? 'Shared draft' : current}</span>
            <ChevronDown className="size-3.5 shrink-0" aria-hidden="true" />
          </>
        }
        groups={[commands.make, commands.entry, commands.workspace]}
      />
      <IconButton
        label="Undo"
        title={state.undoLabel === undefined ? 'Undo' : `Undo: ${state.undoLabel}`}
        disabled={state.undoLabel === undefined}
        onClick={store.undo}
      >
        <Undo2 />
      </IconButton>
      <IconButton
        label="Redo"
        title={state.redoLabel === undefined ? 'Redo' : `Redo: ${state.redoLabel}`}
        disabled={state.redoLabel === undefined}
        onClick={store.redo}
        className={ROOMY}
      >
        <Redo2 />
      </IconButton>
      <div className="min-w-0 flex-1 self-stretch max-[56.25rem]:invisible">{tabs}</div>
      {looking ? null : <SaveStatus autosave={autosave} />}
      <button
        type="button"
        aria-pressed={exploring ?? false}
        disabled={exploring === undefined}
        title="Variations of what is open"
        onClick={onExplore}
        className="min-h-9 shrink-0 cursor-pointer rounded-md border border-edge px-3 font-medium text-sm transition-colors hover:bg-sunk disabled:cursor-default disabled:text-ink-soft disabled:opacity-60 disabled:hover:bg-transparent aria-pressed:bg-sunk pointer-coarse:min-h-11 max-sm:hidden"
      >
        Explore
      </button>
      <IconButton label="Find and commands" onClick={onFind} className={ROOMY}>
        <Search />
      </IconButton>
      {looking ? null : (
        <>
          <IconButton label="Share" onClick={onShare} className={ROOMY}>
            <Share2 />
          </IconButton>
          <button
            type="button"
            aria-expanded={front === undefined ? undefined : planned}
            disabled={front === undefined}
            onClick={() => plan(!planned)}
            className="min-h-9 shrink-0 cursor-pointer rounded-md bg-ink px-3 font-medium text-ground text-sm transition-colors hover:bg-accent hover:text-on-accent disabled:cursor-default disabled:bg-sunk disabled:text-ink-soft pointer-coarse:min-h-11 sm:px-4"
          >
            Publish
          </button>
        </>
      )}
      <Menu
        label="More"
        className="shrink-0"
        trigger={<Ellipsis className="size-4.5" aria-hidden="true" />}
        groups={[commands.edit, commands.help, commands.site]}
      />
    </InBar>
  )
}

/** On phones these are in a menu only. */
const ROOMY = 'max-sm:hidden'
