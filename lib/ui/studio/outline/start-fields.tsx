'use client'

import type { StudioStore } from '#lib/studio/document/store.ts'
import type { Id } from '#lib/studio/document/types.ts'
import { LiveNumber } from '../common/live-number.tsx'
import type { Start } from './rows.ts'

interface Props {
  readonly entryId: Id
  readonly edit: StudioStore['edit']
  readonly start: Start
  /** Index of its voice. */
  readonly index: number
  readonly look: 'small' | 'quiet'
  readonly readOnly: boolean
  readonly color: string
  readonly describedBy: string | undefined
}

/** Where a voice begins: its first number. */
export function StartField(props: Props) {
  const { start, index } = props
  return (
    <Field
      {...props}
      which={0}
      value={start.startPoint}
      placeholder={String(start.otherwise.startPoint)}
      caption="from"
      label={`Start of voice ${index + 1}`}
    />
  )
}

/** Field for the number of steps that a voice leaves out on its first turn. */
export function ShiftField(props: Props) {
  const { start, index } = props
  return (
    <Field
      {...props}
      which={1}
      value={start.shift}
      placeholder={String(start.otherwise.transformationShift)}
      caption="skips"
      label={`Steps that voice ${index + 1} skips at first`}
    />
  )
}

function Field({
  entryId,
  edit,
  start,
  look,
  readOnly,
  color,
  describedBy,
  which,
  caption,
  label,
  ...rest
}: Props & {
  readonly which: 0 | 1
  readonly value: string
  readonly placeholder: string
  readonly caption: string
  readonly label: string
}) {
  const kind = which === 0 ? 'start' : 'shift'
  return (
    <LiveNumber
      at={{ entryId, target: { kind, position: start.position } }}
      edit={edit}
      value={rest.value}
      placeholder={rest.placeholder}
      free
      knob={start.knobs[which]}
      wrong={start.wrong[which]}
      readOnly={readOnly || start.locked}
      shownCaption={caption}
      {...{ look, color }}
      aria-label={label}
      aria-describedby={describedBy}
      data-field
      data-start
    />
  )
}
