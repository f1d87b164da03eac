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
export function NameField({
  value,
  onText,
  wrong,
  of,
  className = '',
  ...rest
}: FieldProps & { of?: keyof typeof NAMES_OF }) {
  return (
    <input
      type="text"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={200}
      {...rest}
      list={of === undefined ? undefined : NAMES_OF[of]}
      value={value}
      aria-invalid={wrong || undefined}
      onChange={(event) => onText(event.currentTarget.value)}
      className={`${look} ${border(wrong)} ${className}`}
    />
  )
}

/** A number field that accepts any text. */
export function NumberField({ value, onText, wrong, className = '', ...rest }: FieldProps) {
  return (
    <input
      type="text"
      inputMode="numeric"
      autoComplete="off"
      spellCheck={false}
      maxLength={40}
      {...rest}
      value={value}
      aria-invalid={wrong || undefined}
      onChange={(event) => onText(event.currentTarget.value)}
      className={`${look} w-20 text-right ${border(wrong)} ${className}`}
    />
  )
}

function border(wrong: boolean | undefined): string {
  return wrong ? 'border-madder' : 'border-edge'
}
