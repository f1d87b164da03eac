import type { ReactNode } from 'react'

/**
 * A titled piece of a page: a rule on top like the header of a cloth, the title, an optional aside, the content.
 *
 * @param heading Its level: 3 inside a section of the page, 2 right below the page's title.
 */
export function Card({
  title,
  aside,
  heading: Heading = 'h3',
  className = '',
  children,
}: {
  title: string
  aside?: ReactNode
  heading?: 'h2' | 'h3'
  className?: string
  children: ReactNode
}) {
  return (
    <section className={`min-w-0 border-ink border-t-2 pt-3 ${className}`}>
      <div className="flex items-baseline justify-between gap-4 pb-2">
        <Heading className="font-semibold text-base">{title}</Heading>
        {aside ? <span className="mono text-ink-soft text-xs">{aside}</span> : null}
      </div>
      {children}
    </section>
  )
}
