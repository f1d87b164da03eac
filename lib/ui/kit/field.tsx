import type { ComponentProps, ReactNode } from 'react'
import { Button } from './button.tsx'

export const fieldLook = 'mt-1.5 block w-full rounded-md border border-edge bg-raised px-3 py-2 text-base'

/** A text field with its label above it. */
export function Field({
  label,
  note,
  code = false,
  onText,
  ...rest
}: ComponentProps<'input'> & {
  label: string
  note?: string
  /** What is typed is no prose. */
  code?: boolean
  onText: (text: string) => void
}) {
  return (
    <label className="block text-sm">
      {label}
      <input
        autoComplete="off"
        {...(code && { autoCapitalize: 'none', spellCheck: false })}
        {...rest}
        onChange={(event) => onText(event.currentTarget.value)}
        className={`${fieldLook} ${code ? 'mono' : ''}`}
      />
      {note === undefined ? null : <span className="mt-1 block text-ink-soft">{note}</span>}
    </label>
  )
}

/** The button that sends a form, and what came of it. */
export function Submit({
  disabled,
  look = 'primary',
  said,
  children,
}: {
  disabled: boolean
  look?: 'primary' | 'plain'
  said: string | undefined
  children: ReactNode
}) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button type="submit" look={look} disabled={disabled}>
        {children}
      </Button>
      <p role="status" className="[overflow-wrap:anywhere]">
        {said}
      </p>
    </div>
  )
}
