import type { ComponentProps } from 'react'

const base =
  'inline-flex cursor-pointer items-center justify-center gap-2 rounded-md font-medium [:where(&)]:min-h-11 [:where(&)]:px-4 text-sm transition-colors disabled:cursor-default disabled:opacity-60'
const looks = {
  primary: 'bg-ink text-ground hover:bg-accent hover:text-on-accent',
  plain: 'border border-edge text-ink hover:border-accent hover:text-accent',
} as const

type Look = keyof typeof looks

/** A button; `primary` is for the one main thing of a view. */
export function Button({
  look = 'plain',
  className = '',
  ...rest
}: ComponentProps<'button'> & { look?: Look }) {
  return <button type="button" {...rest} className={`${base} ${looks[look]} ${className}`} />
}

/** A link styled as a button. Plain anchor: it may lead out of the page tree, for instance to a document. */
export function ButtonLink({
  look = 'plain',
  className = '',
  ...rest
}: ComponentProps<'a'> & { look?: Look }) {
  return <a {...rest} className={`${base} ${looks[look]} ${className}`} />
}
