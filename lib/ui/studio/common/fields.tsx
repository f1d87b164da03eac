'use client'

import type { ComponentProps } from 'react'

const look =
  'mono min-h-9 rounded-md border bg-raised px-2 text-sm read-only:border-transparent read-only:bg-transparent pointer-coarse:min-h-11'

/** Ids of the lists of known names, which `KnownNames` puts on the page once. */
const NAMES_OF = {
  connector: 'known-connectors',
  transformation: 'known-transformations',
  condition: 'known-conditions',
} as const

type FieldProps = Omit<ComponentProps<'input'>, 'onChange' | 'value'> & {
  value: string
  onText: (text: string) => void
  wrong?: boolean | undefined
}

/** A name of something, with what is known offered while typing. */
export function NameField({ of, ...rest }: FieldProps & { of?: keyof typeof NAMES_OF }) {
  return <Field autoCapitalize="none" maxLength={200} {...rest} {...(of && { list: NAMES_OF[of] })} />
}

/** A number field that accepts any text. */
export function NumberField({ className = '', ...rest }: FieldProps) {
  return <Field inputMode="numeric" maxLength={40} {...rest} className={`w-20 text-right ${className}`} />
}

function Field({ onText, wrong = false, className = '', ...rest }: FieldProps) {
  return (
    <input
      type="text"
      autoComplete="off"
      spellCheck={false}
      {...rest}
      aria-invalid={wrong || undefined}
      onChange={(event) => onText(event.currentTarget.value)}
      className={`${look} ${wrong ? 'border-madder' : 'border-edge'} ${className}`}
    />
  )
}
