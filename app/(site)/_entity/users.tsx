import { counted, shortHex } from '#lib/browser/format.ts'
import type { UsersPage } from '#lib/core/entities/relations.ts'
import type { Address, EntityKind } from '#lib/protocol/entity.ts'
import { entityHref, networkHref, ownerHref } from '#lib/ui/components/entity-href.ts'
import { Part } from '#lib/ui/components/part.tsx'
import { ButtonLink } from '#lib/ui/kit/button.tsx'
import { quietLink, textLink } from '#lib/ui/kit/link-style.ts'

/** A page of the published connectors that use an entity. */
export function Users({
  kind,
  name,
  draft,
  page,
  names,
}: {
  kind: EntityKind
  name: string
  draft: boolean
  page: UsersPage
  /** Display names of the owners. */
  names: ReadonlyMap<Address, string>
}) {
  const { total, users, nextAfter } = page
  const href = entityHref(kind, name)
  return (
    <Part id="used-by" title="Used by" lead={total === 0 ? undefined : summary(total)}>
      {total === 0 ? (
        <p className="border-line border-t py-3 text-ink-soft text-sm">
          {draft
            ? 'Nothing on chain can use a draft. Published, it is there for everybody.'
            : 'No published piece uses it yet.'}
        </p>
      ) : null}
      {total > 0 && users.length === 0 ? (
        <p className="border-line border-t py-3 text-ink-soft text-sm">No more of them.</p>
      ) : null}
      <ul>
        {users.map((user) => (
          <li
            key={user.name}
            className="flex min-h-11 flex-wrap items-center gap-x-4 border-line border-t py-2 text-sm"
          >
            <a
              className={`${textLink} mono [overflow-wrap:anywhere]`}
              href={entityHref('connector', user.name)}
            >
              {user.name}
            </a>
            <span className="ml-auto flex gap-x-4 text-ink-soft text-xs">
              {user.uses > 1 ? <span>{counted(user.uses, 'time')}</span> : null}
              <a className={quietLink} href={ownerHref(user.owner)}>
                {names.has(user.owner) ? (
                  <bdi>{names.get(user.owner)}</bdi>
                ) : (
                  <span className="mono">0x{shortHex(user.owner)}</span>
                )}
              </a>
            </span>
          </li>
        ))}
      </ul>
      {draft ? null : (
        <p className="border-line border-t pt-3 text-sm">
          <a className={textLink} href={networkHref(kind, name)}>
            Walk the graph around it
          </a>
        </p>
      )}
      {nextAfter === null ? null : (
        <ButtonLink
          className="mt-4"
          rel="next"
          href={`${href}?used_after=${encodeURIComponent(nextAfter)}#used-by`}
        >
          More that use it
        </ButtonLink>
      )}
    </Part>
  )
}

function summary(total: number): string {
  return `${counted(total, 'published piece')}, by name.`
}
