import type { ReactNode } from 'react'
import type { EntityKind } from '../../../lib/domain/entity.ts'
import { KindMark } from '../../../lib/ui/kind-mark.tsx'
import { textLink } from '../../../lib/ui/link-style.ts'
import { Notice } from '../../../lib/ui/notice.tsx'
import { PageHead } from '../../../lib/ui/page-head.tsx'
import { measure } from '../../../lib/ui/site-frame.tsx'

/** The frame of an entity's page: its name on top, what it is at the left, where it is at the right. */
export function EntityPage({
  kind,
  name,
  lead,
  draft,
  actions,
  children,
  aside,
}: {
  kind: EntityKind
  name: string
  lead: ReactNode
  /** It is not on chain yet. */
  draft: boolean
  /** What can be done with it; null while nobody knows what it is. */
  actions: ReactNode
  children: ReactNode
  aside: ReactNode
}) {
  const word = `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`
  return (
    <>
      <PageHead
        title={name}
        code
        eyebrow={
          <>
            <KindMark kind={kind} />
            {draft ? `${word}, a draft` : word}
          </>
        }
        lead={lead}
      />
      {actions ? <div className={`${measure} mt-6 flex flex-wrap gap-3`}>{actions}</div> : null}
      {draft ? (
        <div className={`${measure} mt-8`}>
          <Notice title="Not on chain yet">
            <p>
              This is a draft: it can be simulated here, its owner may still change it, and other servers do
              not know it. If you came for something published, a reorganisation may have taken it back: the{' '}
              <a className={textLink} href="/feed?status=removed">
                feed lists what was removed
              </a>
              .
            </p>
          </Notice>
        </div>
      ) : null}
      <div
        className={`${measure} mt-10 grid gap-x-14 gap-y-14 lg:grid-cols-[minmax(0,1fr)_27rem] lg:items-start`}
      >
        <div className="min-w-0 space-y-14">{children}</div>
        <aside aria-label="On chain" className="min-w-0">
          <h2 className="border-ink border-t-2 pt-3 pb-2 font-semibold text-base">
            {draft ? 'Not on chain' : 'On chain'}
          </h2>
          {aside}
        </aside>
      </div>
    </>
  )
}

/** A part of an entity's page. */
export function Part({
  id,
  title,
  lead,
  children,
}: {
  /** Lets addresses lead to it. */
  id?: string
  title: string
  lead?: ReactNode
  children: ReactNode
}) {
  return (
    <section id={id} className="min-w-0">
      <h2 className="border-ink border-t-2 pt-3 pb-2 font-semibold text-base">{title}</h2>
      {lead ? <p className="max-w-prose pb-2 text-ink-soft text-sm">{lead}</p> : null}
      {children}
    </section>
  )
}

/** The page of something published that this server could not rebuild from the chain. */
export function NotVerified({ kind }: { kind: EntityKind }) {
  return (
    <Notice title="Not verified">
      <p>
        The chain says that this {kind} exists, but what was published with it does not give its content hash,
        so this server does not say what it is.
      </p>
    </Notice>
  )
}
