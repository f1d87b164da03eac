import type { ReactNode } from 'react'

/**
 * A section of a page: a rule on top like the header of a cloth, its title, its content.
 *
 * @param id Fragment of its address, which makes it a landmark.
 * @param aside Beside the title.
 */
export function Part({
  id,
  title,
  aside,
  lead,
  className = '',
  children,
}: {
  id?: string
  title: ReactNode
  aside?: ReactNode
  lead?: ReactNode
  className?: string
  children: ReactNode
}) {
  const titleId = id && `${id}-title`
  return (
    <section id={id} aria-labelledby={titleId} className={`min-w-0 border-ink border-t-2 pt-3 ${className}`}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2 pb-2">
        <h2 id={titleId} className="font-semibold text-base [overflow-wrap:anywhere]">
          {title}
        </h2>
        {aside}
      </div>
      {lead ? <p className="max-w-prose pb-2 text-ink-soft text-sm">{lead}</p> : null}
      {children}
    </section>
  )
}
