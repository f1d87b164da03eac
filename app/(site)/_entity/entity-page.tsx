import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import type { EntityKind } from '../../../lib/protocol/entity.ts'
import { KindMark } from '../../../lib/ui/components/kind-mark.tsx'
import { textLink } from '../../../lib/ui/components/link-style.ts'
import { measure } from '../../../lib/ui/components/measure.ts'
import { Notice } from '../../../lib/ui/components/notice.tsx'
import { PageHead } from '../../../lib/ui/components/page-head.tsx'

/** The layout of an entity's page: head, content and facts. */
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
  /** Not published. */
  draft: boolean
  /** Null for an unverified entity. */
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
              not know it. If you came for something published, a reorganisation may have removed it: the{' '}
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

/** A section of an entity's page. */
export function Part({
  id,
  title,
  lead,
  children,
}: {
  /** Fragment of its address. */
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

/** Content of the page of an unverified entity. */
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

/** Decodes the name in a page's address; invalid encoding is a 404. */
export async function readName(params: Promise<{ readonly name: string }>): Promise<string> {
  const { name } = await params
  try {
    return decodeURIComponent(name)
  } catch {
    notFound()
  }
}
