import type { ReactNode } from 'react'
import { measure } from './site-frame.tsx'

/**
 * The top of a page below the first one: its only `h1`, what it is in a sentence, and a place at the right.
 *
 * @param eyebrow The kind of thing the page shows.
 * @param code The title is a name from the network, set as such.
 */
export function PageHead({
  title,
  eyebrow,
  code = false,
  lead,
  aside,
}: {
  title: string
  eyebrow?: ReactNode
  code?: boolean
  lead?: ReactNode
  aside?: ReactNode
}) {
  return (
    <div className={`${measure} flex flex-wrap items-end justify-between gap-x-12 gap-y-4 pt-8 sm:pt-12`}>
      <div className="min-w-0">
        {eyebrow ? <p className="mb-2 flex items-center gap-2 text-ink-soft text-sm">{eyebrow}</p> : null}
        <h1
          className={
            code
              ? 'mono font-medium text-2xl tracking-tight [overflow-wrap:anywhere]'
              : 'font-semibold text-3xl tracking-[-0.03em]'
          }
        >
          {title}
        </h1>
        {lead ? <div className="mt-4 max-w-[38rem] text-ink-soft text-lg">{lead}</div> : null}
      </div>
      {aside}
    </div>
  )
}
