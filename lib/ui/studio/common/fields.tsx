'use client'

import type { ComponentProps } from 'react'
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
  ...rest
}: ComponentProps<typeof TextField> & { of?: keyof typeof NAMES_OF }) {
  return <TextField code look={look} maxLength={200} {...rest} {...(of && { list: NAMES_OF[of] })} />
}
