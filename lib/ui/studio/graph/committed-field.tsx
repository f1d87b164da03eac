'use client'

import { type ComponentProps, useRef, useState } from 'react'
import { NameField } from '../outline/fields.tsx'

/**
 * A name that counts once it is finished: each letter of it would be another connector, and the graph would lead there
 * and back. Leaving the field, Enter, or taking an offered name finishes it; Escape gives it up.
 */
export function CommittedField({
  value,
  onCommit,
  ...rest
}: Omit<ComponentProps<typeof NameField>, 'onText' | 'onBlur' | 'onKeyDown' | 'onInput'> & {
  onCommit: (text: string) => void
}) {
  const [draft, setDraft] = useState<string>()
  const taken = useRef(false)
  const commit = (text: string) => {
    setDraft(undefined)
    if (text !== value) onCommit(text)
  }
  return (
    <NameField
      {...rest}
      value={draft ?? value}
      onInput={(event) => {
        // What browsers send when somebody takes a name from the list.
        const { inputType } = event.nativeEvent as InputEvent
        taken.current = inputType === undefined || inputType === 'insertReplacementText'
      }}
      onText={(text) => (taken.current ? commit(text) : setDraft(text))}
      onBlur={(event) => commit(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit(event.currentTarget.value)
        if (event.key === 'Escape') setDraft(undefined)
      }}
    />
  )
}
