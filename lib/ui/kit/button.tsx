import type { ComponentProps } from 'react'
import { textLink } from './link-style.ts'

const shared =
  'inline-flex cursor-pointer items-center rounded-md transition-colors [:where(&)]:justify-center [:where(&)]:gap-2 [:where(&)]:font-medium [:where(&)]:text-sm disabled:cursor-default disabled:opacity-60 aria-disabled:cursor-default aria-disabled:opacity-60'
const looks = {
  filled:
    'border border-transparent bg-ink text-ground hover:bg-accent hover:text-on-accent disabled:hover:bg-ink disabled:hover:text-ground',
  outline:
    'border border-edge [:where(&)]:text-ink hover:border-accent hover:text-accent aria-pressed:border-ink aria-pressed:bg-sunk',
  text: '[:where(&)]:text-ink-soft hover:bg-sunk hover:text-ink',
} as const
const sizes = {
  large: '[:where(&)]:min-h-11 [:where(&)]:px-4',
  small: 'min-h-9 [:where(&)]:px-3 touch:min-h-11',
} as const

interface Styled {
  readonly look?: keyof typeof looks | undefined
  readonly size?: keyof typeof sizes | undefined
}

function styled({ look = 'outline', size = 'large' }: Styled, className = ''): string {
  return `${shared} ${looks[look]} ${sizes[size]} ${className}`
}

/** A button of one of three weights; `filled` is for the one main thing of a view. */
export function Button({ look, size, className, ...rest }: ComponentProps<'button'> & Styled) {
  return <Press {...rest} className={styled({ look, size }, className)} />
}

/** A link styled as a button. Plain anchor: it may lead out of the page tree, for instance to a document. */
export function ButtonLink({ look, size, className, ...rest }: ComponentProps<'a'> & Styled) {
  return <a {...rest} className={styled({ look, size }, className)} />
}

/** A button inside a sentence, which looks as a link does. */
export function TextButton({ className = '', ...rest }: ComponentProps<'button'>) {
  return <Press {...rest} className={`${textLink} text-left ${className}`} />
}

const rows = {
  plain: 'hover:bg-sunk disabled:hover:bg-transparent',
  boxed: 'border border-edge hover:border-accent hover:text-accent',
} as const

/**
 * A whole line to press: of a list, or in a box of its own.
 *
 * @param chosen Whether it is the one of its list that is open; undefined where a list has none.
 */
export function Row({
  look = 'plain',
  chosen,
  className = '',
  ...rest
}: ComponentProps<'button'> & { look?: keyof typeof rows; chosen?: boolean | undefined }) {
  const mark =
    chosen === undefined
      ? 'rounded-md'
      : 'border-transparent border-l-2 aria-[current]:border-accent aria-[current]:bg-raised'
  return (
    <Press
      aria-current={chosen ? 'true' : undefined}
      {...rest}
      className={`flex w-full text-left text-sm transition-colors [:where(&)]:min-h-9 [:where(&)]:items-center [:where(&)]:gap-3 [:where(&)]:px-2 touch:min-h-11 ${rows[look]} ${mark} ${className}`}
    />
  )
}

/** A button without a look: a step of a pattern, a number of a table, a handle. */
export function Press({ className = '', ...rest }: ComponentProps<'button'>) {
  return (
    <button
      type="button"
      {...rest}
      className={`[:where(&)]:cursor-pointer disabled:cursor-default ${className}`}
    />
  )
}
