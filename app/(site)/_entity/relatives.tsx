import type { ReactNode } from 'react'
import { counted } from '#lib/browser/format.ts'
import type { NamedEntity, Related } from '#lib/core/entities/relations.ts'
import type { Address, Hash } from '#lib/protocol/entity.ts'
import { kindWord } from '#lib/protocol/kind-name.ts'
import { entityHref, formatHref, ownerHref } from '#lib/ui/components/entity-href.ts'
import { Part } from '#lib/ui/components/part.tsx'
import { Title } from '#lib/ui/components/title.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'

/** Connectors of the same format, and the newest entities of the owner. */
export function Relatives({
  owner,
  formatHash,
  related,
}: {
  owner: Address
  formatHash: Hash | undefined
  related: Related
}) {
  const { ofFormat, inFormat, byOwner, publishedByOwner } = related
  return (
    <div className="space-y-10">
      {formatHash === undefined || ofFormat.length === 0 ? null : (
        <Part title="Can take its place" lead="In a piece that plays this one, any of these fits instead.">
          <List entries={ofFormat} />
          <More href={formatHref(formatHash)}>All {counted(inFormat, 'piece')} that fit</More>
        </Part>
      )}
      {byOwner.length === 0 ? null : (
        <Part title="By the same account" lead="The newest.">
          <List entries={byOwner} kinds />
          <More href={ownerHref(owner)}>All {counted(publishedByOwner, 'publication')} of the account</More>
        </Part>
      )}
    </div>
  )
}

function More({ href, children }: { href: string; children: ReactNode }) {
  return (
    <p className="border-line border-t pt-3 text-sm">
      <a className={textLink} href={href}>
        {children}
      </a>
    </p>
  )
}

function List({ entries, kinds = false }: { entries: readonly NamedEntity[]; kinds?: boolean }) {
  return (
    <ul>
      {entries.map(({ kind, name, title }) => (
        <li
          key={`${kind}/${name}`}
          className="flex items-baseline justify-between gap-4 border-line border-t py-2.5 text-sm"
        >
          <a
            className={`${textLink} [overflow-wrap:anywhere] ${title === undefined ? 'mono' : ''}`}
            href={entityHref(kind, name)}
          >
            {title === undefined ? name : <Title>{title}</Title>}
          </a>
          {kinds ? <span className="text-ink-soft text-xs">{kindWord(kind)}</span> : null}
        </li>
      ))}
    </ul>
  )
}
