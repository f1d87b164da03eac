'use client'

import type { ComponentProps } from 'react'
import { kindWord } from '#lib/protocol/kind-name.ts'
import { type CallRef, setArguments, setName } from '#lib/studio/document/commands/connector.ts'
import type { NumberTarget } from '#lib/studio/document/knob.ts'
import { refKey } from '#lib/studio/document/node-ref.ts'
import type { Problem } from '#lib/studio/document/problem.ts'
import type { StudioStore } from '#lib/studio/document/store.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { LiveNumber } from './live-number.tsx'

export interface Call {
  readonly name: string
  readonly args: readonly string[]
}

/**
 * Values and edits of the fields of a call or condition, wherever they are. Typing in one field is one step of undo.
 *
 * @param takes How many arguments it takes; undefined while that is not known.
 */
export function callFields(
  edit: StudioStore['edit'],
  at: CallRef,
  call: Call,
  takes: number | undefined,
  problems: readonly Problem[] = [],
) {
  const kind = at.kind === 'call' ? 'transformation' : 'condition'
  const extra = takes === undefined ? 0 : Math.max(0, call.args.length - takes)
  const targetOf = (index: number): NumberTarget =>
    at.kind === 'call' ? { kind: 'call', callId: at.callId, index } : { kind: 'condition', index }
  return {
    kind,
    name: {
      value: call.name,
      wrong: problems.some(({ field, severity }) => field === undefined && severity === 'error'),
      onText: (name: string) =>
        edit(`Choose ${kindWord(kind)}`, (document) => setName(document, at, name), {
          merge: `${refKey(at)}/name`,
        }),
    },
    argument: (index: number) => ({
      at: { entryId: at.entryId, target: targetOf(index) },
      edit,
      value: call.args[index] ?? '',
      wrong:
        problems.some(({ field }) => field?.name === 'args' && field.index === index) ||
        (extra > 0 && index >= takes!),
    }),
    /** Arguments beyond those that it takes. */
    extra,
    dropExtra: () =>
      edit('Drop numbers', (document) => setArguments(document, at, call.args.slice(0, takes))),
  } as const
}

/** One of the numbers of a call. */
export function CallNumber({
  fields,
  index,
  fn,
  captioned = true,
  look = 'small',
  ...rest
}: {
  fields: ReturnType<typeof callFields>
  index: number
  /** Names and signs of the function's arguments. */
  fn: { readonly args: readonly { readonly name: string | undefined; readonly sign: string | undefined }[] }
  captioned?: boolean
} & Omit<ComponentProps<typeof LiveNumber>, 'at' | 'edit' | 'value' | 'caption' | 'shownCaption'>) {
  const { name, sign } = fn.args[index] ?? {}
  return (
    <LiveNumber
      {...fields.argument(index)}
      {...rest}
      look={look}
      caption={name}
      shownCaption={(captioned && rest.level === undefined && (look === 'quiet' ? sign : name)) || null}
    />
  )
}

/** Removes arguments beyond those that a function takes. */
export function DropExtra({ fields }: { fields: ReturnType<typeof callFields> }) {
  const { extra, dropExtra } = fields
  if (extra === 0) return null
  return (
    <Button look="text" size="small" onClick={dropExtra}>
      Drop {extra === 1 ? 'the last one' : `the last ${extra}`}
    </Button>
  )
}
