'use client'

import type { ComponentProps } from 'react'
import { type CallRef, setName } from '#lib/studio/document/commands/connector.ts'
import { refKey } from '#lib/studio/document/node-ref.ts'
import type { StudioStore } from '#lib/studio/document/store.ts'
import type { Call, callFields } from '../common/call-fields.tsx'
import { NameField } from '../common/fields.tsx'
import { CallNameField } from '../picker/call-name-field.tsx'

/**
 * The name of what a call or condition uses.
 *
 * @param also Calls that are written together with it, and get the same name.
 */
export function CallName({
  at,
  also = [],
  call,
  fields,
  edit,
  readOnly,
  className = '',
  ...rest
}: {
  at: CallRef
  also?: readonly CallRef[]
  call: Call
  fields: ReturnType<typeof callFields>
  edit: StudioStore['edit']
} & Omit<ComponentProps<typeof NameField>, 'of' | 'value' | 'onText'>) {
  const props = {
    ...rest,
    ...fields.name,
    readOnly,
    'data-field': true,
    className: `max-w-full font-medium read-only:w-auto read-only:[field-sizing:content] ${className}`,
  }
  if (fields.kind === 'condition' || readOnly === true) return <NameField of={fields.kind} {...props} />
  const all = [at, ...also]
  return (
    <CallNameField
      {...props}
      {...{ at, also, edit, call }}
      onText={(name) =>
        edit(
          'Choose function',
          (document) => all.reduce((next, each) => setName(next, each, name), document),
          { merge: `${refKey(at)}/name` },
        )
      }
    />
  )
}
