'use client'

import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { actionAt, bindActions } from '#lib/studio/actions.ts'
import { type NodeRef, refKey } from '#lib/studio/document/node-ref.ts'
import type { Problem } from '#lib/studio/document/problem.ts'
import { type ConnectorEntry, tabKey } from '#lib/studio/document/types.ts'
import { useValue } from '#lib/ui/components/value.ts'
import { ActionBar } from '../common/action-bar.tsx'
import { connectorActions } from '../common/connector-actions.ts'
import { useCurrentSession, useRun, useSession } from '../common/session.tsx'
import { clipboardHandlers } from '../common/transfer.ts'
import { OutlineRow } from './outline-row.tsx'
import { type Row, rowsOf } from './rows.ts'

const NO_PROBLEMS: ReadonlyMap<string, readonly Problem[]> = new Map()

/** A connector as a treegrid. Arrow keys move between lines, Enter into the fields of a line, Escape back. */
export function ConnectorOutline({ entry, readOnly = false }: { entry: ConnectorEntry; readOnly?: boolean }) {
  const { document: store, announce, openName } = useCurrentSession()
  const shapes = useSession((state) => state.shapes)
  const known = useSession((state) => state.problemsAt)
  const selected = useSession(({ selection }) => selection.at(-1))
  const stop = useValue(useRun(tabKey({ kind: 'entry', entryId: entry.id })).stop)
  const problemsAt = useMemo(() => {
    if (readOnly) return NO_PROBLEMS
    if (stop?.at.entryId !== entry.id) return known
    const key = refKey(stop.at)
    return new Map([...known, [key, [...(known.get(key) ?? []), stop]]])
  }, [readOnly, known, stop, entry.id])
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [lastChosen, setLastChosen] = useState<string>()
  const grid = useRef<HTMLTableElement>(null)

  const rows = useMemo(
    () =>
      rowsOf(
        entry,
        (name) => {
          const shape = shapes.ofName(name)
          return typeof shape === 'string' ? undefined : shape
        },
        closed,
      ),
    [entry, shapes, closed],
  )
  const chosenKey = selected?.entryId === entry.id && !readOnly ? refKey(selected) : lastChosen
  const current = rows.find(({ key }) => key === chosenKey)

  const choose = useCallback(
    (row: Row) => {
      setLastChosen(row.key)
      if (!readOnly && store.getState().selection.at(-1) !== row.at) store.select([row.at])
    },
    [store, readOnly],
  )
  const rowElement = (key: string) =>
    grid.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`)
  const focusRow = (at: NodeRef) => {
    flushSync(() => setLastChosen(refKey(at)))
    rowElement(refKey(at))?.focus()
  }
  const focusField = (at: NodeRef) => {
    flushSync(() => setLastChosen(refKey(at)))
    rowElement(refKey(at))?.querySelector<HTMLElement>('[data-field]')?.focus()
  }
  const toggle = useCallback((row: Row) => {
    setClosed((before) => {
      const next = new Set(before)
      if (!next.delete(row.key)) next.add(row.key)
      return next
    })
  }, [])

  const context = { store, entry, at: current?.at, focusField, focusRow, open: openName, announce }
  const { handlers, copied, pasteText } = connectorActions(context)
  const actions = bindActions(handlers)
  const offered = readOnly ? actions.filter(({ id }) => id === 'open' || id === 'copy') : actions

  const step = (by: number) => {
    const index = rows.findIndex(({ key }) => key === current?.key)
    const next = rows[Math.max(0, Math.min(rows.length - 1, index + by))]
    if (next) rowElement(next.key)?.focus()
  }

  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>) => {
    const inField = event.target instanceof HTMLInputElement
    const plain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey
    const handled = () => event.preventDefault()
    if (inField && event.key === 'Escape') {
      handled()
      if (current) rowElement(current.key)?.focus()
      return
    }
    if (inField && event.key === 'Enter' && plain) {
      handled()
      step(1)
      return
    }
    const id = actionAt(inField ? 'field' : 'line', event)
    const action = offered.find((each) => each.id === id && !each.native)
    if (action !== undefined) {
      handled()
      if (action.enabled) action.run()
      return
    }
    if (inField || !plain || !current) return
    const isRow = event.target === rowElement(current.key)
    if (!isRow) return
    const { kind } = current
    switch (event.key) {
      case 'ArrowDown':
        handled()
        step(1)
        break
      case 'ArrowUp':
        handled()
        step(-1)
        break
      case 'Home':
        handled()
        step(-rows.length)
        break
      case 'End':
        handled()
        step(rows.length)
        break
      case 'ArrowRight':
        handled()
        if (kind === 'dimension' && !current.open) toggle(current)
        else if (kind === 'dimension') step(1)
        else focusField(current.at)
        break
      case 'ArrowLeft':
        handled()
        if (kind === 'dimension' && current.open) toggle(current)
        else if (current.level > 1) {
          const index = rows.indexOf(current)
          const parent = rows.slice(0, index).findLast(({ level }) => level < current.level)
          if (parent) rowElement(parent.key)?.focus()
        }
        break
      case 'Enter':
        handled()
        if (kind === 'dimension') toggle(current)
        else focusField(current.at)
        break
      default:
    }
  }

  const clipboardEvents = clipboardHandlers(
    { copied, pasteText },
    { editable: !readOnly, remove: actions.find(({ id }) => id === 'remove'), announce },
  )

  return (
    <div>
      <ActionBar actions={offered} label="What can be done with the chosen line" />
      <table
        ref={grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table with levels that open and close is a treegrid
        role="treegrid"
        aria-label={`Outline of ${entry.name || 'the connector'}`}
        aria-readonly={readOnly}
        onKeyDown={onKeyDown}
        {...clipboardEvents}
        className="w-full table-fixed"
      >
        <tbody>
          {rows.map((row, index) => (
            <OutlineRow
              key={row.key}
              row={row}
              current={current === undefined ? index === 0 : row.key === current.key}
              problems={problemsAt.get(row.key)}
              readOnly={readOnly}
              onChoose={choose}
              onToggle={toggle}
            />
          ))}
          {rows.length === 0 ? (
            <tr tabIndex={0}>
              <td className="py-4 text-ink-soft">No dimension yet: press D, or the button above.</td>
            </tr>
          ) : null}
        </tbody>
      </table>
    </div>
  )
}
