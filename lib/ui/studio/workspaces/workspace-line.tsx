'use client'

import { useRef, useState } from 'react'
import { counted } from '#lib/browser/format.ts'
import type { WorkspaceItem } from '#lib/studio/keep/workspace-manager.ts'
import { MAX_WORKSPACE_NAME } from '#lib/studio/keep/workspace-store.ts'
import { TimeAgo } from '#lib/ui/components/time-ago.tsx'
import { Button } from '#lib/ui/kit/button.tsx'
import { TextField } from '#lib/ui/kit/field.tsx'

/** One workspace and what can be done with it. */
export function WorkspaceLine({
  item,
  current,
  onOpen,
  onRename,
  onDuplicate,
  onDelete,
}: {
  item: WorkspaceItem
  current: boolean
  onOpen: () => void
  onRename: (name: string) => void
  onDuplicate: () => void
  onDelete: () => void
}) {
  const [naming, setNaming] = useState(false)
  const rename = useRef<HTMLButtonElement>(null)
  return (
    <li
      className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2"
      aria-current={current ? 'true' : undefined}
    >
      <div className="min-w-0 flex-1 basis-56">
        {naming ? (
          <RenameField
            name={item.name}
            onDone={(name) => {
              setNaming(false)
              rename.current?.focus()
              if (name !== undefined && name !== item.name) onRename(name)
            }}
          />
        ) : (
          <p className="font-medium text-sm [overflow-wrap:anywhere]">{item.name}</p>
        )}
        <Facts item={item} current={current} />
      </div>
      <div className="flex flex-wrap gap-1">
        {current ? null : (
          <Button look="text" size="small" aria-label={`Open ${item.name}`} onClick={onOpen}>
            Open
          </Button>
        )}
        <Button
          look="text"
          size="small"
          ref={rename}
          aria-label={`Rename ${item.name}`}
          onClick={() => setNaming(true)}
        >
          Rename
        </Button>
        <Button look="text" size="small" aria-label={`Duplicate ${item.name}`} onClick={onDuplicate}>
          Duplicate
        </Button>
        <Button look="text" size="small" aria-label={`Delete ${item.name}`} onClick={onDelete}>
          Delete
        </Button>
      </div>
    </li>
  )
}

/** A deleted workspace. */
export function DeletedLine({
  item,
  onRestore,
  onRemovePermanently,
}: {
  item: WorkspaceItem
  onRestore: () => void
  onRemovePermanently: () => void
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 py-1">
      <p className="min-w-0 flex-1 basis-40 text-sm [overflow-wrap:anywhere]">{item.name}</p>
      <Button look="text" size="small" aria-label={`Take back ${item.name}`} onClick={onRestore}>
        Take back
      </Button>
      <Button
        look="text"
        size="small"
        aria-label={`Delete ${item.name} for good`}
        onClick={onRemovePermanently}
      >
        Delete for good
      </Button>
    </li>
  )
}

function Facts({ item, current }: { item: WorkspaceItem; current: boolean }) {
  return (
    <p className="text-ink-soft text-sm">
      {current ? 'Open now · ' : null}
      {item.entries === undefined ? 'In your account' : counted(item.entries, 'entry', 'entries')}
      {' · '}
      <TimeAgo ms={item.savedAtMs} />
    </p>
  )
}

/** Enter commits the name, Escape cancels. */
function RenameField({ name, onDone }: { name: string; onDone: (name: string | undefined) => void }) {
  const [text, setText] = useState(name)
  // Leaving the field for another reason takes the focus from it, too.
  const finished = useRef(false)
  const finish = (to: string | undefined) => {
    if (finished.current) return
    finished.current = true
    onDone(to)
  }
  const done = () => finish(text.trim() === '' ? undefined : text.trim())
  return (
    <TextField
      // The button was pressed to type here.
      autoFocus
      aria-label={`Name of ${name}`}
      value={text}
      maxLength={MAX_WORKSPACE_NAME}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setText(event.currentTarget.value.replace(/\p{Cc}/gu, ''))}
      onBlur={done}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          // The button that has the focus next must not be pressed by the same key.
          event.preventDefault()
          done()
        }
        if (event.key !== 'Escape') return
        // Not the dialog as well.
        event.stopPropagation()
        finish(undefined)
      }}
    />
  )
}
