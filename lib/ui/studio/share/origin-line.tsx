'use client'

import { shortHex } from '#lib/browser/format.ts'
import type { LibraryEntity } from '#lib/studio/document/parts.ts'
import { same } from '#lib/studio/document/same.ts'
import type { Entry } from '#lib/studio/document/types.ts'
import { entityHref } from '#lib/ui/components/entity-href.ts'
import { TextButton } from '#lib/ui/kit/button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { useSession as useAccountSession } from '#lib/ui/wallet/session/use-session.ts'
import { useCurrentSession, useSession } from '../common/session.tsx'

/** @returns whether something outside the document belongs to the account that is signed in. */
export function useIsOwn(): (entity: Pick<LibraryEntity, 'owner'>) => boolean {
  const session = useAccountSession()
  const address = session.status === 'signed_in' ? session.session.address : undefined
  return ({ owner }) => owner === address
}

/** The published facts of an entry: that it is published by its author, and what it was made from. */
export function OriginLine({ entry }: { entry: Entry }) {
  const { openTab } = useCurrentSession()
  const isOwn = useIsOwn()
  const { kind, name, madeFrom } = entry
  const outside = useSession(({ parts }) => parts.outside(kind, name), same)
  // Links are untrusted input: their claims are compared with what is published.
  const origin = useSession(({ parts }) => madeFrom && parts.outside(madeFrom.kind, madeFrom.name), same)
  const known = typeof outside === 'object' ? outside.entity : undefined
  const published = known?.address !== undefined && isOwn(known)
  if (!published && madeFrom === undefined) return null
  const original =
    typeof origin === 'object' && origin.entity.kind === 'connector' ? origin.entity : undefined
  const denied =
    origin === 'absent' || (typeof origin === 'object' && origin.entity.contentHash !== madeFrom?.contentHash)
  const title = denied ? undefined : original?.piece?.title
  return (
    <p className="flex flex-wrap gap-x-4 pt-1 text-ink-soft text-sm">
      {published ? (
        <span>
          Published, and yours:{' '}
          <a className={textLink} href={entityHref(kind, name)}>
            its page
          </a>
        </span>
      ) : null}
      {madeFrom === undefined ? null : (
        <span data-made-from={madeFrom.contentHash} className="[overflow-wrap:anywhere]">
          Made from{' '}
          <TextButton
            title={`Show the original, of 0x${shortHex(madeFrom.owner)}`}
            onClick={() => openTab({ kind: 'published', entity: madeFrom.kind, name: madeFrom.name })}
          >
            {title ?? madeFrom.name}
          </TextButton>
          , see{' '}
          <a className={textLink} href={entityHref(madeFrom.kind, madeFrom.name)}>
            its page and author
          </a>
          {denied ? '. What is published there now is something else.' : ''}
        </span>
      )}
    </p>
  )
}
