import type { ReactNode } from 'react'
import { Breakable } from './breakable.tsx'
import { measure } from './measure.ts'

interface TitleProps {
  readonly title: string
  /** The kind of thing the page shows. */
  readonly eyebrow?: ReactNode
  /** The title is a name from the network, set as such. */
  readonly code?: boolean
  /** What the page is, in a sentence. */
  readonly lead?: ReactNode
  /** Takes little height, so that what the page shows stands in the first window. */
  readonly slim?: boolean
}

/** The head of a page with its `h1`. */
export function PageHead(props: TitleProps) {
  return (
    <div className={measure}>
      <PageTitle {...props} />
    </div>
  )
}

/** The same without margins. */
export function PageTitle({ title, eyebrow, code = false, lead, slim = false }: TitleProps) {
  if (slim) {
    return (
      <div className="min-w-0 pt-3">
        <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
          <h1 className="font-semibold text-2xl tracking-tight">{title}</h1>
          {eyebrow ? <p className="flex items-center gap-2 text-ink-soft text-sm">{eyebrow}</p> : null}
        </div>
        {lead ? <div className="mt-1 text-ink-soft">{lead}</div> : null}
      </div>
    )
  }
  return (
    <div className="min-w-0 pt-8 sm:pt-12">
      {eyebrow ? <p className="mb-2 flex items-center gap-2 text-ink-soft text-sm">{eyebrow}</p> : null}
      <h1
        className={
          code
            ? 'mono font-medium text-2xl tracking-tight [overflow-wrap:anywhere]'
            : 'font-semibold text-3xl tracking-[-0.03em]'
        }
      >
        {code ? <Breakable name={title} /> : title}
      </h1>
      {lead ? <div className="mt-4 max-w-[38rem] text-ink-soft text-lg">{lead}</div> : null}
    </div>
  )
}

/** Announces the Atom feed in the document's head. */
export function AtomLink() {
  return <link rel="alternate" type="application/atom+xml" title="What is published" href="/feed.xml" />
}
