import type { ComponentProps } from 'react'

const shared =
  'inline-flex cursor-pointer items-center gap-2 rounded-md text-sm transition-colors disabled:cursor-default disabled:opacity-60 aria-disabled:cursor-default aria-disabled:opacity-60'
const box = 'justify-center font-medium'
const looks = {
  primary: `${box} bg-ink text-ground hover:bg-accent hover:text-on-accent`,
  plain: `${box} border border-edge text-ink hover:border-accent hover:text-accent`,
  quiet: 'text-ink-soft hover:bg-sunk hover:text-ink',
  link: 'underline underline-offset-4 hover:text-accent',
} as const
const sizes = {
  large: '[:where(&)]:min-h-11 [:where(&)]:px-4',
  small: 'min-h-9 [:where(&)]:px-3 touch:min-h-11',
} as const

interface Styled {
  readonly look?: keyof typeof looks | undefined
  readonly size?: keyof typeof sizes | undefined
}

function styled({ look = 'plain', size = 'large' }: Styled, className = ''): string {
  return `${shared} ${looks[look]} ${sizes[size]} ${className}`
}

/** A button; `primary` is for the one main thing of a view. */
export function Button({ look, size, className, ...rest }: ComponentProps<'button'> & Styled) {
  return <button type="button" {...rest} className={styled({ look, size }, className)} />
}

/** A link styled as a button. Plain anchor: it may lead out of the page tree, for instance to a document. */
export function ButtonLink({ look, size, className, ...rest }: ComponentProps<'a'> & Styled) {
  return <a {...rest} className={styled({ look, size }, className)} />
}
