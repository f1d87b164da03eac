import type { ReactNode } from 'react'

/** A titled piece of a page: a rule on top like the header of a cloth, the title, an optional aside, the content. */
export function Card({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="min-w-0 border-ink border-t-2 pt-3">
      <div className="flex items-baseline justify-between gap-4 pb-2">
        <h3 className="font-semibold text-base">{title}</h3>
        {aside ? <span className="mono text-ink-soft text-xs">{aside}</span> : null}
      </div>
      {children}
    </section>
  )
}
