import type { ComponentProps, ReactNode } from 'react'
import { Button } from './button.tsx'

const box = 'rounded-md border aria-invalid:border-madder placeholder:text-ink-soft'
const looks = {
  large: 'min-h-11 border-edge bg-raised px-3 [:where(&)]:text-sm touch:[:where(&)]:text-base',
  small:
    'min-h-9 border-edge bg-raised px-2 text-sm read-only:border-transparent read-only:bg-transparent touch:min-h-11',
  /** Text until it is pointed at or has the focus. */
  quiet:
    'min-h-8 border-transparent bg-transparent px-0.5 text-sm hover:not-read-only:border-edge focus:not-read-only:border-edge focus:not-read-only:bg-raised touch:min-h-11',
} as const
const CODE = { autoCapitalize: 'none', spellCheck: false } as const

interface Common {
  readonly look?: keyof typeof looks
  /** Code: in the mono face, without spelling and capitals. */
  readonly code?: boolean
  readonly wrong?: boolean | undefined
  readonly onText?: ((text: string) => void) | undefined
}
type FieldProps = ComponentProps<'input'> & Common

/** A text field. Forms without a script leave `onText` away. */
export function TextField({ className = '', ...rest }: FieldProps) {
  const width = rest.look === undefined || rest.look === 'large' ? 'min-w-0 [:where(&)]:w-full' : ''
  return <Input {...rest} className={`${width} ${className}`} />
}

/** A field for a number. It accepts any text; its page reports an invalid one beside it. */
export function NumberField({ className = '', ...rest }: FieldProps) {
  const width = rest.look === 'quiet' ? 'text-center' : 'text-right [:where(&)]:w-20'
  return <Input inputMode="numeric" maxLength={40} code {...rest} className={`${width} ${className}`} />
}

/** A search field that filters the list below it. */
export function SearchField({
  label,
  className = '',
  ...rest
}: { label: string; value: string; onText: (text: string) => void } & Pick<
  FieldProps,
  'className' | 'placeholder'
>) {
  return (
    <TextField
      type="search"
      look="small"
      aria-label={label}
      placeholder="Name"
      maxLength={128}
      {...CODE}
      {...rest}
      className={`w-full ${className}`}
    />
  )
}

function Input({ look = 'large', code = false, wrong, onText, className, ...rest }: FieldProps) {
  return (
    <input
      autoComplete="off"
      aria-invalid={wrong || undefined}
      {...(code && CODE)}
      {...(onText && { onChange: (event) => onText(event.currentTarget.value) })}
      {...rest}
      className={`${box} ${looks[look]} ${code ? 'mono' : ''} ${className}`}
    />
  )
}

/** A text field of several lines. */
export function TextArea({
  code = false,
  wrong,
  onText,
  className = '',
  ...rest
}: ComponentProps<'textarea'> & Omit<Common, 'look'>) {
  return (
    <textarea
      aria-invalid={wrong || undefined}
      {...(code && CODE)}
      {...(onText && { onChange: (event) => onText(event.currentTarget.value) })}
      {...rest}
      className={`${box} block w-full border-edge bg-raised px-3 py-2 [:where(&)]:text-sm touch:[:where(&)]:text-base ${code ? 'mono' : ''} ${className}`}
    />
  )
}

/** A text field with its label above it. */
export function Field({
  label,
  note,
  ...rest
}: Omit<ComponentProps<typeof TextField>, 'className'> & { label: ReactNode; note?: string }) {
  return (
    <label className="block text-sm">
      {label}
      <TextField {...rest} className="mt-1 block" />
      {note === undefined ? null : <span className="mt-1 block text-ink-soft">{note}</span>}
    </label>
  )
}

/** A value that a form sends beside its visible fields; nothing without one. */
export function HiddenField({ name, value }: { name: string; value: string | number | undefined }) {
  return value === undefined ? null : <input type="hidden" name={name} value={value} />
}

/** The field behind a button that chooses files; its `click` opens the browser's dialog. */
export function FileField({
  label,
  folder = false,
  onFiles,
  ...rest
}: Pick<ComponentProps<'input'>, 'ref' | 'accept' | 'multiple'> & {
  label: string
  folder?: boolean
  onFiles: (files: readonly File[]) => void
}) {
  return (
    <input
      type="file"
      hidden
      aria-label={label}
      {...rest}
      // Every browser knows it, no standard does.
      {...(folder && { webkitdirectory: '', multiple: true })}
      onChange={({ currentTarget }) => {
        const files = [...(currentTarget.files ?? [])]
        // Choosing the same file again is a change, too.
        currentTarget.value = ''
        onFiles(files)
      }}
    />
  )
}

/** The button that sends a form, and what came of it. */
export function Submit({
  disabled,
  look = 'filled',
  message,
  children,
}: {
  disabled: boolean
  look?: 'filled' | 'outline'
  message: string | undefined
  children: ReactNode
}) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button type="submit" look={look} disabled={disabled}>
        {children}
      </Button>
      <p role="status" className="[overflow-wrap:anywhere]">
        {message}
      </p>
    </div>
  )
}
