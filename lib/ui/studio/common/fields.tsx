'use client'

import { type ComponentProps, useState } from 'react'
import { TextField } from '#lib/ui/kit/field.tsx'

/** Ids of the lists of known names, which `KnownNames` puts on the page once. */
const NAMES_OF = {
  connector: 'known-connectors',
  transformation: 'known-transformations',
  condition: 'known-conditions',
} as const

/** A name of something, with what is known offered while typing. */
export function NameField({
  of,
  look = 'small',
  onFocus,
  onBlur,
  ...rest
}: ComponentProps<typeof TextField> & { of?: keyof typeof NAMES_OF }) {
  const [isFocused, setFocused] = useState(false)
  // A list takes room for its button, which a short placeholder needs.
  const list = of !== undefined && (isFocused || rest.value !== '') ? NAMES_OF[of] : undefined
  return (
    <TextField
      code
      look={look}
      maxLength={200}
      {...rest}
      list={list}
      onFocus={(event) => {
        setFocused(true)
        onFocus?.(event)
      }}
      onBlur={(event) => {
        setFocused(false)
        onBlur?.(event)
      }}
    />
  )
}
