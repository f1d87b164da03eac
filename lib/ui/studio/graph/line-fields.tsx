'use client'

import { type ComponentProps, useRef, useState } from 'react'
import { counted } from '#lib/browser/format.ts'
import { kindWord } from '#lib/protocol/kind-name.ts'
import type { CallRef } from '#lib/studio/document/commands/connector.ts'
import { link } from '#lib/studio/document/commands/graph.ts'
import type { Problem } from '#lib/studio/document/problem.ts'
import { Press, TextButton } from '#lib/ui/kit/button.tsx'
import { callFields } from '../common/call-fields.tsx'
import { NameField } from '../common/fields.tsx'
import { LiveNumber } from '../common/live-number.tsx'
import { CallNameField } from '../picker/call-name-field.tsx'
import { useGraphTools } from './graph-context.ts'
import type { Line } from './model/lines.ts'
import { ARGS_A_ROW, ARGS_BESIDE, fieldsOf, LINE_HEIGHT } from './model/sizes.ts'

/** The content of a line, as fields where it is editable. */
export function LineFields({
  line,
  editable,
  tabbable,
  marked,
  describedBy,
}: {
  line: Line
  editable: boolean
  tabbable: boolean
  /** Leaves room at the right of its first row for a mark. */
  marked: boolean
  describedBy: string | undefined
}) {
  const { edit, toggleSlots } = useGraphTools()
  const tabIndex = tabbable ? undefined : -1
  const wrong = line.problems.some(({ field, severity }) => field === undefined && severity === 'error')
  const shared = { editable, tabbable, marked, describedBy, problems: line.problems }

  switch (line.kind) {
    case 'dimension':
      return (
        <Row marked={marked}>
          <span className="font-semibold">Voice {line.index + 1}</span>
        </Row>
      )
    case 'call':
    case 'condition': {
      const { at } = line
      if (at.kind !== 'call' && at.kind !== 'condition') return null
      return (
        <CallLine
          {...shared}
          at={at}
          call={line.kind === 'call' ? line.call : line.condition}
          takes={line.takes}
        />
      )
    }
    case 'composite':
    case 'slot': {
      const { at } = line
      if (at.kind !== 'composite' && at.kind !== 'binding') return null
      const slot = line.kind === 'slot'
      return (
        <Row marked={marked}>
          <span className="w-20 shrink-0 truncate text-ink-soft" title={slot ? line.label : undefined}>
            {slot ? `part ${line.slot + 1}` : 'plays'}
          </span>
          {editable ? (
            <CommittedField
              of="connector"
              value={line.name}
              onCommit={(name) => edit(slot ? 'Fill place' : 'Choose piece', (d) => link(d, at, name))}
              wrong={wrong}
              placeholder={slot ? 'open' : 'nothing'}
              aria-label={slot ? `Piece in place of part ${line.slot + 1}` : 'Piece that this voice plays'}
              aria-describedby={describedBy}
              tabIndex={tabIndex}
              data-field
              className="nodrag nopan min-h-[30px]! min-w-0 flex-1"
            />
          ) : (
            <span className="mono min-w-0 truncate pr-3">{line.name || (slot ? 'open' : 'nothing')}</span>
          )}
        </Row>
      )
    }
    case 'slots': {
      const text = counted(line.amount, 'free place')
      return (
        <Row marked={marked}>
          {editable ? (
            <TextButton
              tabIndex={tabIndex}
              data-field
              onClick={() => toggleSlots(line.key.slice('slots '.length))}
              className="nodrag min-h-[30px]"
            >
              {text}
            </TextButton>
          ) : (
            <span className="text-ink-soft">{text}</span>
          )}
        </Row>
      )
    }
    case 'start': {
      const { at, instance } = line
      const field = (which: 'startPoint' | 'transformationShift', name: string) => (
        <SmallNumber
          at={{ entryId: at.entryId, target: { kind: STARTS[which], position: instance.position } }}
          edit={edit}
          value={instance[which]}
          editable={editable}
          wrong={line.problems.some((problem) => problem.field?.name === which)}
          aria-label={`${name} of ${line.label || `place ${instance.position}`}`}
          aria-describedby={describedBy}
          tabIndex={tabIndex}
          data-field
        />
      )
      return (
        <Row marked={marked}>
          <span className="mono min-w-0 flex-1 truncate text-ink-soft" title={line.label}>
            {line.label || instance.position}
          </span>
          <span className="shrink-0 text-ink-soft">from</span>
          {field('startPoint', 'Start')}
          {instance.position === 0 ? null : (
            <>
              <span className="shrink-0 text-ink-soft">skips</span>
              {field('transformationShift', 'Skipped steps')}
            </>
          )}
        </Row>
      )
    }
    case 'more':
      return (
        <Row marked={marked}>
          <span className="text-ink-soft">{line.amount} more voices, in its list</span>
        </Row>
      )
  }
}

function Row({ marked, children }: { marked: boolean; children: React.ReactNode }) {
  return (
    <div
      className={`flex items-center gap-1.5 text-sm ${marked ? 'pr-7' : ''}`}
      style={{ height: LINE_HEIGHT }}
    >
      {children}
    </div>
  )
}

/** A transformation or condition in a node: its name and a field for each argument it takes. */
function CallLine({
  call,
  takes,
  problems,
  editable,
  tabbable,
  marked,
  describedBy,
  at,
}: {
  call: { readonly name: string; readonly args: readonly string[] }
  takes: number | undefined
  problems: readonly Problem[]
  editable: boolean
  tabbable: boolean
  marked: boolean
  describedBy: string | undefined
  at: CallRef
}) {
  const { edit } = useGraphTools()
  const { kind, name, argument, extra, dropExtra } = callFields(edit, at, call, takes, problems)
  const shared = { tabIndex: tabbable ? undefined : -1, 'aria-describedby': describedBy }
  const fields = fieldsOf(call.args, takes)
  const number = (index: number) => (
    <SmallNumber
      key={index}
      {...shared}
      {...argument(index)}
      editable={editable}
      aria-label={`Number ${index + 1} of ${call.name || kindWord(kind)}`}
    />
  )
  const nameProps = {
    ...shared,
    ...name,
    'aria-label': kind === 'condition' ? 'Gate' : 'Function',
    placeholder: kindWord(kind),
    'data-field': true,
    className: 'nodrag nopan min-h-[30px]! min-w-0 flex-1 font-medium',
  }
  const rows = Math.ceil(Math.max(0, fields - ARGS_BESIDE) / ARGS_A_ROW)
  const last = extra === 1 ? 'number' : `${extra} numbers`
  return (
    <div className="text-sm">
      <div className={`flex items-center gap-1.5 ${marked ? 'pr-7' : ''}`} style={{ height: LINE_HEIGHT }}>
        {editable && kind === 'transformation' ? (
          <CallNameField at={at} edit={edit} call={call} {...nameProps} />
        ) : editable ? (
          <NameField of={kind} {...nameProps} />
        ) : (
          <span className="mono min-w-0 flex-1 truncate font-medium">
            {kind === 'condition' ? <span className="text-ink-soft">if </span> : null}
            {call.name || '…'}
          </span>
        )}
        {range(0, Math.min(fields, ARGS_BESIDE)).map(number)}
        {extra > 0 && editable ? (
          <Press
            tabIndex={shared.tabIndex}
            aria-label={`Drop the last ${last} of ${call.name}`}
            title={`${call.name} takes ${takes}: drop the last ${last}`}
            onClick={dropExtra}
            className="nodrag grid size-7 shrink-0 place-items-center rounded-md border border-madder text-madder hover:bg-sunk"
          >
            −
          </Press>
        ) : null}
      </div>
      {range(0, rows).map((row) => (
        <div key={row} className="flex items-center gap-1.5" style={{ height: LINE_HEIGHT }}>
          {range(ARGS_BESIDE + row * ARGS_A_ROW, Math.min(fields, ARGS_BESIDE + (row + 1) * ARGS_A_ROW)).map(
            number,
          )}
        </div>
      ))}
    </div>
  )
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
}

/**
 * A name field that commits on blur, Enter or a picked suggestion, and resets on Escape: committing each letter would
 * relink the graph while typing.
 */
function CommittedField({
  value,
  onCommit,
  ...rest
}: Omit<ComponentProps<typeof NameField>, 'onText' | 'onBlur' | 'onKeyDown' | 'onInput'> & {
  onCommit: (text: string) => void
}) {
  const [draft, setDraft] = useState<string>()
  const isCommitted = useRef(false)
  const commit = (text: string) => {
    setDraft(undefined)
    if (text !== value) onCommit(text)
  }
  return (
    <NameField
      {...rest}
      value={draft ?? value}
      onInput={(event) => {
        // Sent when a suggestion of the datalist is picked.
        const { inputType } = event.nativeEvent as InputEvent
        isCommitted.current = inputType === undefined || inputType === 'insertReplacementText'
      }}
      onText={(text) => (isCommitted.current ? commit(text) : setDraft(text))}
      onBlur={(event) => commit(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit(event.currentTarget.value)
        if (event.key === 'Escape') setDraft(undefined)
      }}
    />
  )
}

const STARTS = { startPoint: 'start', transformationShift: 'shift' } as const

/** A number in a node: a field where it can be changed, else only its text. */
function SmallNumber({ editable, ...rest }: ComponentProps<typeof LiveNumber> & { editable: boolean }) {
  if (!editable) {
    return (
      <span className={`mono w-14 shrink-0 truncate text-right ${rest.wrong ? 'text-madder' : ''}`}>
        {rest.value || '…'}
      </span>
    )
  }
  return <LiveNumber {...rest} className="nodrag nopan min-h-[30px]! w-14! shrink-0 px-1!" />
}
