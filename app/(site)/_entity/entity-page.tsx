import { notFound } from 'next/navigation'
import type { ComponentProps, ReactNode } from 'react'
import type { EntityKind } from '../../../lib/protocol/entity.ts'
import { KindMark } from '../../../lib/ui/components/kind-mark.tsx'
import { textLink } from '../../../lib/ui/components/link-style.ts'
import { measure } from '../../../lib/ui/components/measure.ts'
import { Notice } from '../../../lib/ui/components/notice.tsx'
import { ReportForm } from '../../../lib/ui/piece/report-form.tsx'
import { Stage } from '../../../lib/ui/piece/stage.tsx'
import { kindName } from '../../../lib/ui/search/hit-view.ts'

/** The layout of an entity's page: the piece, how it is made, who is near it, its proof. */
export function EntityPage({
  kind,
  name,
  author,
  stage,
  lead,
  draft,
  actions,
  children,
  aside,
  proof,
}: {
  kind: EntityKind
  name: string
  author: NonNullable<ComponentProps<typeof Stage>['author']>
  /** The piece itself; null where it does not run. */
  stage: ReactNode
  lead: ReactNode
  /** Not published. */
  draft: boolean
  /** Null for an unverified entity. */
  actions: ReactNode
  /** How it is made. */
  children: ReactNode
  /** Beside it: where it comes from, and what is near. */
  aside: ReactNode
  /** Addresses, hashes and requests, folded. */
  proof: ReactNode
}) {
  const word = kindName(kind)
  return (
    <>
      <Stage
        title={name}
        eyebrow={
          <>
            <KindMark kind={kind} />
            {draft ? `${word}, a draft` : word}
          </>
        }
        author={author}
        lead={lead}
        actions={actions}
      >
        {stage}
      </Stage>
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
        className={`${measure} mt-12 grid gap-x-14 gap-y-14 lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-start`}
      >
        <div className="min-w-0 space-y-14">{children}</div>
        <aside aria-label="Near it" className="min-w-0">
          {aside}
        </aside>
      </div>
      <div className={`${measure} mt-14`}>
        <details className="border-ink border-t-2">
          <summary className="min-h-11 cursor-pointer py-3 font-semibold text-base">
            {draft ? 'Not on chain: owner and requests' : 'Proof: address, hashes and requests'}
          </summary>
          <div className="grid gap-x-14 gap-y-10 pb-4 lg:grid-cols-2 [&>*]:min-w-0">{proof}</div>
        </details>
        {draft ? null : <ReportForm kind={kind} name={name} what={`this ${kind}`} />}
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
