import type { ReactNode } from 'react'
import { Breakable } from './breakable.tsx'
import { measure } from './measure.ts'

interface TitleProps {
  readonly title: string
  /** The kind of thing the page shows. */
  readonly eyebrow?: ReactNode
  /** The title is a name from the network, set as such. */
  readonly code?: boolean
  /** Subject of the page, in a sentence. */
  readonly lead?: ReactNode
}

/** The head of a page with its `h1`. */
export function PageHead(props: TitleProps) {
  return (
    <div className={measure}>
      <PageTitle {...props} />
    </div>
  )
}

/** Look of the `h1` of every page; names from the network are set as such. */
export const titleLook = {
  words: 'font-semibold text-2xl tracking-tight [overflow-wrap:anywhere]',
  code: 'mono font-medium text-2xl tracking-tight [overflow-wrap:anywhere]',
} as const

/** The same without margins. */
export function PageTitle({ title, eyebrow, code = false, lead }: TitleProps) {
  return (
    <div className="min-w-0 pt-6">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h1 className={titleLook[code ? 'code' : 'words']}>{code ? <Breakable name={title} /> : title}</h1>
        {eyebrow ? <p className="flex items-center gap-2 text-ink-soft text-sm">{eyebrow}</p> : null}
      </div>
      {lead ? <div className="mt-1 max-w-[46rem] text-ink-soft">{lead}</div> : null}
    </div>
  )
}

/** Announces the Atom feed in the document's head. */
export function AtomLink() {
  return <link rel="alternate" type="application/atom+xml" title="What is published" href="/feed.xml" />
}
