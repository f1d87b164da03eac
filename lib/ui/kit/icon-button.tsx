import type { ComponentProps, ReactNode } from 'react'
import { Press } from './button.tsx'

const looks = {
  text: 'text-ink-soft hover:bg-sunk hover:text-ink aria-expanded:text-ink aria-pressed:bg-sunk aria-pressed:text-ink',
  outline:
    'border border-edge hover:border-accent hover:text-accent aria-pressed:border-ink aria-pressed:bg-ink aria-pressed:text-ground',
} as const

/**
 * A small square button that shows only an icon.
 *
 * @param label Its accessible name, and its hint where there is no `title`.
 * @param size Classes of its size where it is not 36 pixels; fingers always get 44.
 */
export function IconButton({
  label,
  look = 'text',
  size = 'size-9',
  className = '',
  children,
  ...rest
}: Omit<ComponentProps<'button'>, 'aria-label'> & {
  label: string
  look?: keyof typeof looks
  size?: string
  children: ReactNode
}) {
  return (
    <Press
      title={label}
      {...rest}
      aria-label={label}
      className={`inline-grid shrink-0 place-items-center rounded-md transition-colors disabled:opacity-50 touch:size-11 [&>svg]:size-4 ${size} ${looks[look]} ${className}`}
    >
      {children}
    </Press>
  )
}
