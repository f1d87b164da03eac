'use client'

import type { ComponentProps } from 'react'

const LOOKS = {
  field: 'min-h-9 bg-raised px-2 read-only:border-transparent read-only:bg-transparent touch:min-h-11',
  /** Text until it is pointed at or has the focus. */
  quiet: 'min-h-8 bg-transparent px-0.5 touch:min-h-11',
}
const BORDERS = {
  field: 'border-edge',
  quiet:
    'border-transparent hover:not-read-only:border-edge focus:not-read-only:border-edge focus:not-read-only:bg-raised',
}

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
  look?: keyof typeof LOOKS
}

/** A name of something, with what is known offered while typing. */
export function NameField({ of, ...rest }: FieldProps & { of?: keyof typeof NAMES_OF }) {
  return <Field autoCapitalize="none" maxLength={200} {...rest} {...(of && { list: NAMES_OF[of] })} />
}

/** A number field that accepts any text. */
export function NumberField({ className = '', ...rest }: FieldProps) {
  const width = rest.look === 'quiet' ? 'text-center' : 'w-20 text-right'
  return <Field inputMode="numeric" maxLength={40} {...rest} className={`${width} ${className}`} />
}

function Field({ onText, wrong = false, look = 'field', className = '', ...rest }: FieldProps) {
  return (
    <input
      type="text"
      autoComplete="off"
      spellCheck={false}
      {...rest}
      aria-invalid={wrong || undefined}
      onChange={(event) => onText(event.currentTarget.value)}
      className={`mono rounded-md border text-sm ${LOOKS[look]} ${wrong ? 'border-madder' : BORDERS[look]} ${className}`}
    />
  )
}
