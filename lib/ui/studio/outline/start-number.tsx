'use client'

import type { StudioStore } from '#lib/studio/document/store.ts'
import type { Id } from '#lib/studio/document/types.ts'
import { LiveNumber } from '../common/live-number.tsx'
import type { Start } from './rows.ts'

const KINDS = {
  start: { which: 0, caption: 'from', label: (voice: number) => `Start of voice ${voice}` },
  shift: { which: 1, caption: 'skips', label: (voice: number) => `Steps that voice ${voice} skips at first` },
} as const

/** Field for the first number of a voice, or for the number of steps that it leaves out on its first turn. */
export function StartNumber({
  kind,
  entryId,
  edit,
  start,
  index,
  readOnly,
  describedBy,
  ...look
}: {
  readonly kind: keyof typeof KINDS
  readonly entryId: Id
  readonly edit: StudioStore['edit']
  readonly start: Start
  /** Index of its voice. */
  readonly index: number
  readonly look: 'small' | 'quiet'
  readonly readOnly: boolean
  readonly color: string
  readonly describedBy: string | undefined
}) {
  const { which, caption, label } = KINDS[kind]
  const { startPoint, transformationShift } = start.otherwise
  return (
    <LiveNumber
      at={{ entryId, target: { kind, position: start.position } }}
      edit={edit}
      value={kind === 'start' ? start.startPoint : start.shift}
      placeholder={String(kind === 'start' ? startPoint : transformationShift)}
      free
      knob={start.knobs[which]}
      wrong={start.wrong[which]}
      readOnly={readOnly || start.locked}
      shownCaption={caption}
      {...look}
      aria-label={label(index + 1)}
      aria-describedby={describedBy}
      data-field
      data-start
    />
  )
}
