'use client'

import { type FocusEvent, useCallback, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { counted, formatInteger } from '#lib/browser/format.ts'
import { bindActions } from '#lib/studio/actions.ts'
import { type NodeRef, refKey } from '#lib/studio/document/node-ref.ts'
import type { HeldPhrase } from '#lib/studio/document/notation.ts'
import { spansIn, startLinesOf } from '#lib/studio/document/positions-of.ts'
import type { Problem } from '#lib/studio/document/problem.ts'
import { reuse } from '#lib/studio/document/same.ts'
import { type ConnectorEntry, tabKey } from '#lib/studio/document/types.ts'
import { threadColor } from '#lib/ui/components/thread-colors.ts'
import { useValue } from '#lib/ui/components/value.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { ActionBar } from '../common/action-bar.tsx'
import { connectorActions } from '../common/connector-actions.ts'
import { useCurrentSession, useRun, useSession } from '../common/session.tsx'
import { clipboardHandlers } from '../common/transfer.ts'
import { usePaths } from '../common/use-knob-color.ts'
import { useTransport } from '../transport/use-transport.ts'
import { InnerStarts } from './inner-starts.tsx'
import { outlineKeys } from './outline-keys.ts'
import { keysOf, OutlineRow } from './outline-row.tsx'
import {
  type Form,
  firstLines,
  lineOf,
  type PhraseRow,
  type Row,
  rowsOf,
  type SlotsRow,
  type VoiceRow,
} from './rows.ts'
import { StartNumber } from './start-number.tsx'

const NO_PROBLEMS: ReadonlyMap<string, readonly Problem[]> = new Map()
/** Voices and steps that are drawn, and how many more at a time: each has live fields. */
const LINES_AT_ONCE = 256
const NO_ROWS: readonly Row[] = []
const NO_KEYS: ReadonlySet<string> = new Set()
/** The last line that is drawn for what is added there. */
const LAST_ADDED = 4 * LINES_AT_ONCE
/** Start positions that are looked through for those of the voices. */
const MOST_POSITIONS = 400

/**
 * A connector as a treegrid, as a score or with a line for each call. Arrow keys move between lines and cells, Enter into
 * their fields, Escape back.
 */
export function ConnectorOutline({
  entry,
  form,
  readOnly = false,
}: {
  entry: ConnectorEntry
  form: Form
  readOnly?: boolean
}) {
  const { document: store, announce, openName } = useCurrentSession()
  const parts = useSession((state) => state.parts)
  const shapes = useSession((state) => state.shapes)
  const known = useSession((state) => state.problemsAt)
  const selected = useSession(({ selection }) => selection.at(-1))
  const tab = readOnly
    ? tabKey({ kind: 'published', entity: 'connector', name: entry.name })
    : tabKey({ kind: 'entry', entryId: entry.id })
  const stop = useValue(useRun(tab).stop)
  const problemsAt = useMemo(() => {
    if (readOnly) return NO_PROBLEMS
    if (stop?.at.entryId !== entry.id) return known
    const key = refKey(stop.at)
    return new Map([...known, [key, [...(known.get(key) ?? []), stop]]])
  }, [readOnly, known, stop, entry.id])
  const { source, arrangement } = useTransport()
  const ownArrangement = source?.key === tab ? arrangement : undefined
  const paths = usePaths(tab)
  const [closed, setClosed] = useState<ReadonlySet<string>>(NO_KEYS)
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(NO_KEYS)
  const [lastChosen, setLastChosen] = useState<string>()
  const [held, setHeld] = useState<HeldPhrase>()
  const grid = useRef<HTMLDivElement>(null)
  const shape = shapes.ofEntry(entry)
  const starts = useMemo(
    () => (typeof shape === 'string' ? undefined : startLinesOf(shape, MOST_POSITIONS).lines),
    [shape],
  )

  const [most, setMost] = useState(LINES_AT_ONCE)
  const { entry: shown, hidden, cut } = useMemo(() => firstLines(entry, most), [entry, most])
  const before = useRef(NO_ROWS)
  const rows = useMemo(() => {
    const shapeOf = (name: string) => {
      const known = shapes.ofName(name)
      return typeof known === 'string' ? undefined : known
    }
    const all = {
      form,
      shapeOf,
      parts,
      problemsAt,
      starts,
      arrangement: ownArrangement,
      closed,
      expanded,
      held,
      cut,
    }
    const next = rowsOf(shown, all)
    return reuse(before.current, readOnly ? next.filter(({ kind }) => kind !== 'slots') : next)
  }, [shown, form, readOnly, shapes, parts, problemsAt, starts, ownArrangement, closed, expanded, held, cut])
  before.current = rows
  const rowByKey = useMemo(
    () => new Map(rows.flatMap((row) => [row.key, ...keysOf(row)].map((key) => [key, row] as const))),
    [rows],
  )

  const chosenKey = selected?.entryId === entry.id && !readOnly ? refKey(selected) : lastChosen
  const current = chosenKey === undefined ? undefined : rowByKey.get(chosenKey)
  const chosenAt = current && atOf(current, chosenKey)

  const element = (key: string) => grid.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`)
  const chooseRow = (at: NodeRef) => {
    const now = store.getState().document.entries.find(({ id }) => id === entry.id)
    const line = now?.kind === 'connector' ? lineOf(now, at) : undefined
    flushSync(() => {
      setLastChosen(refKey(at))
      if (line !== undefined && line <= LAST_ADDED) setMost((before) => Math.max(before, line))
    })
  }
  const focusRow = (at: NodeRef) => {
    chooseRow(at)
    element(refKey(at))?.focus()
  }
  const focusField = (at: NodeRef) => {
    chooseRow(at)
    element(refKey(at))?.querySelector<HTMLElement>('[data-field]:not([data-start])')?.focus()
  }
  const toggle = useCallback((row: VoiceRow) => {
    setClosed((before) => {
      const next = new Set(before)
      if (!next.delete(row.key)) next.add(row.key)
      return next
    })
  }, [])

  const expand = useCallback((voice: string, first?: SlotsRow) => {
    flushSync(() => setExpanded((before) => (before.has(voice) ? before : new Set(before).add(voice))))
    if (first === undefined) return
    const row = grid.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(refKey(first.at))}"]`)
    row?.focus()
  }, [])

  /** Chooses what has the focus, and leaves the form of its row as it is while it has. */
  const choose = (target: EventTarget) => {
    const key = target instanceof Element ? target.closest<HTMLElement>('[data-row]')?.dataset.row : undefined
    const row = key === undefined ? undefined : rowByKey.get(key)
    if (row === undefined || key === undefined) return
    setHeld((before) => heldBy(row, target, before))
    const stays = row === current && key === row.key
    const at = stays ? chosenAt : atOf(row, key)
    if (at === undefined) return
    setLastChosen(refKey(at))
    const last = store.getState().selection.at(-1)
    if (!readOnly && (last === undefined || refKey(last) !== refKey(at))) store.select([at])
  }

  /** Rows take the form that their numbers have come to when the focus goes elsewhere, but for a menu of a number. */
  const leave = ({ relatedTarget: to }: FocusEvent<HTMLElement>) => {
    if (to === null || grid.current?.contains(to) || to.closest('[role=menu]') !== null) return
    setHeld(undefined)
  }

  // A start is no node that can be moved or removed: what is done there is done to its voice.
  const actsOn = current?.kind === 'start' ? rows[rows.indexOf(current) - 1]?.at : chosenAt
  const context = {
    store,
    entry,
    spanOf: spansIn(shapes),
    at: actsOn,
    focusField,
    focusRow,
    open: openName,
    announce,
  }
  const { handlers, copied, pasteText } = connectorActions(context)
  const actions = bindActions(handlers)
  const offered = readOnly ? actions.filter(({ id }) => id === 'open' || id === 'copy') : actions
  const onKeyDown = outlineKeys({ rows, current, element, focusField, toggle, expand, actions: offered })
  const clipboardEvents = clipboardHandlers(
    { copied, pasteText },
    { editable: !readOnly, remove: actions.find(({ id }) => id === 'remove'), announce },
  )
  const colorOf = (index: number) => {
    const path = paths.findIndex((each) => each.split('/')[1]?.endsWith(`:${index}`))
    return threadColor(path < 0 ? index : path)
  }
  // One step in turn with itself is the same from wherever it begins.
  const skips =
    current !== undefined && 'index' in current
      ? rows.filter(isFirst).find(({ index }) => index === current.index)
      : undefined
  const draw = (row: Row, place: number, lines: readonly Row[]) => {
    const next = lines[place + 1]
    const isCurrent = current === undefined ? row === rows[0] : row === current
    const index = 'index' in row ? row.index : 0
    const isVoice = current !== undefined && 'index' in current && 'index' in row && current.index === index
    return (
      <OutlineRow
        key={row.key}
        {...{ row, form, tab, readOnly }}
        edit={store.edit}
        current={isCurrent}
        chosen={isCurrent && chosenKey !== undefined ? chosenKey : isVoice && !('open' in row)}
        color={colorOf(index)}
        onToggle={toggle}
        onExpand={expand}
        beside={form === 'score' && next?.kind === 'composite' && next.name === ''}
      />
    )
  }

  return (
    <div>
      <ActionBar actions={offered} label="What can be done with the chosen line">
        {skips?.start === undefined || form === 'list' ? null : (
          <StartNumber
            kind="shift"
            {...{ entryId: entry.id, edit: store.edit, readOnly, describedBy: undefined, look: 'small' }}
            start={skips.start}
            index={skips.index}
            color={colorOf(skips.index)}
          />
        )}
      </ActionBar>
      <div
        ref={grid}
        role="treegrid"
        tabIndex={-1}
        aria-label={`Outline of ${entry.name || 'the piece'}`}
        aria-readonly={readOnly}
        onKeyDown={onKeyDown}
        onFocus={({ target }) => choose(target)}
        onPointerDown={({ target }) => choose(target)}
        onBlur={leave}
        {...clipboardEvents}
        className="w-full outline-none"
      >
        {voicesOf(rows).map(({ key, head, lines }) =>
          form === 'list' || head === undefined ? (
            // biome-ignore lint/a11y/useSemanticElements: a table has no rows that wrap
            <div key={key} role="rowgroup">
              {[...(head === undefined ? [] : [head]), ...lines].map(draw)}
            </div>
          ) : (
            // biome-ignore lint/a11y/useSemanticElements: a table has no rows that wrap
            <div key={key} role="rowgroup" className="border-line border-b py-1 @md:flex @md:items-start">
              <div role="none" className="shrink-0 @md:w-30 @xl:w-36">
                {draw(head, 0, [])}
              </div>
              <div role="none" className="flex min-w-0 flex-1 flex-wrap items-center pl-2 @md:pl-0">
                {lines.map(draw)}
              </div>
            </div>
          ),
        )}
        {rows.length === 0 ? (
          // biome-ignore lint/a11y/useSemanticElements: a table has no rows that wrap
          <div role="row" tabIndex={0}>
            {/* biome-ignore lint/a11y/useSemanticElements: a table has no rows that wrap */}
            <div role="gridcell" tabIndex={-1} className="py-4 text-ink-soft">
              No voice yet: press D, or the button above.
            </div>
          </div>
        ) : null}
      </div>
      {hidden === 0 ? null : (
        <p className="flex flex-wrap items-center gap-3 py-3 text-sm">
          <Button size="small" onClick={() => setMost(most + LINES_AT_ONCE)}>
            Show {formatInteger(Math.min(hidden, LINES_AT_ONCE))} more
          </Button>
          <span className="text-ink-soft">{counted(hidden, 'more line')} of voices and steps</span>
        </p>
      )}
      <InnerStarts
        {...{ entry, paths, readOnly, starts }}
        shape={typeof shape === 'string' ? undefined : shape}
      />
    </div>
  )
}

/** Whether a row begins a voice of several steps. */
function isFirst(row: Row): row is PhraseRow {
  return row.kind === 'phrase' && row.start !== undefined && row.of > 1
}

/** The phrase that is edited when something in a row gets the focus; one that was named is apart until another gets it. */
function heldBy(row: Row, target: EventTarget, before: HeldPhrase | undefined): HeldPhrase | undefined {
  if (row.kind !== 'phrase') return undefined
  const callIds = row.calls.map(({ id }) => id)
  const isSame = callIds.join() === before?.callIds.join()
  const isName = target instanceof Element && target.matches('[role=combobox]')
  const apart = isName || (isSame && before?.apart === true)
  if (isSame && before?.apart === apart) return before
  return { callIds, shared: row.shared, look: row.look, tied: row.tied, apart }
}

/** The node of a row that a key names; the first of several where it names the row. */
function atOf(row: Row, key: string | undefined): NodeRef {
  if (row.kind !== 'phrase' || row.at.kind !== 'call' || key === undefined) return row.at
  const { at } = row
  const call = row.calls.find(({ id }) => refKey({ ...at, callId: id }) === key)
  return call === undefined ? at : { ...at, callId: call.id }
}

/** Rows by voice; what belongs to none stands alone. */
function voicesOf(rows: readonly Row[]) {
  const voices: { readonly key: string; readonly head: VoiceRow | undefined; readonly lines: Row[] }[] = []
  for (const row of rows) {
    if (row.kind === 'dimension') voices.push({ key: row.key, head: row, lines: [] })
    else if (row.kind === 'condition') voices.push({ key: row.key, head: undefined, lines: [row] })
    else voices.at(-1)?.lines.push(row)
  }
  return voices
}
