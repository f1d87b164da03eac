import type { ReactNode } from 'react'
import { ButtonLink } from '#lib/ui/kit/button.tsx'
import { Mark } from './logo.tsx'
import { measure } from './measure.ts'
import { PageHead } from './page-head.tsx'

/** A message in place of content: the state, the reason and the next step. */
export function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex gap-4 rounded-lg border border-calm-line bg-calm p-5 sm:p-6">
      <Mark className="mt-0.5 hidden size-8 shrink-0 sm:block" />
      <div className="min-w-0 space-y-3">
        <p className="font-semibold text-lg">{title}</p>
        <div className="max-w-prose space-y-3 text-base [overflow-wrap:anywhere]">{children}</div>
      </div>
    </div>
  )
}

/**
 * Shown when the database cannot be read.
 *
 * @param again Address for another try.
 * @param title Of the page, where nothing else says it; `code` as for `PageHead`.
 */
export function Unreadable({ again, title, code }: { again: string; title?: string; code?: boolean }) {
  return (
    <>
      {title === undefined ? null : <PageHead title={title} code={code ?? false} />}
      <div className={`${measure} mt-10`}>
        <Notice title="The network cannot be read right now">
          <p>
            This server does not reach its database. What is published is safe on chain and shows up again
            with it; usually that takes moments.
          </p>
          <ButtonLink href={again}>Try again</ButtonLink>
        </Notice>
      </div>
    </>
  )
}
