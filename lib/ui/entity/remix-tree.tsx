import { counted, shortHex } from '#lib/browser/format.ts'
import type { Remixes, RemixNode, RemixRoot } from '#lib/core/entities/remixes.ts'
import { worldPageHref } from '#lib/protocol/run-link.ts'
import { entityHref, ownerHref } from '#lib/ui/components/entity-href.ts'
import { KindMark } from '#lib/ui/components/kind-mark.tsx'
import { quietLink, textLink } from '#lib/ui/kit/link-style.ts'

/** Whether there is anything to show. */
export function hasRemixes({ madeFrom, remixedBy }: Remixes): boolean {
  return madeFrom.next.length > 0 || remixedBy.next.length > 0
}

/** Origins and remixes of an entity or a World, each as a tree over generations. */
export function RemixTree({ remixes, mostCounted }: { remixes: Remixes; mostCounted: number }) {
  const { madeFrom, remixedBy, names, count } = remixes
  return (
    <div className="space-y-6 text-sm">
      {madeFrom.next.length === 0 ? null : (
        <section aria-label="Made from">
          <h3 className="pb-1 font-medium">Made from</h3>
          <Generation {...madeFrom} names={names} />
        </section>
      )}
      {remixedBy.next.length === 0 ? null : (
        <section aria-label="Remixed by">
          <h3 className="pb-1 font-medium">
            Remixed {count >= mostCounted ? `${mostCounted} times and more` : counted(count, 'time')}
          </h3>
          <Generation {...remixedBy} names={names} />
        </section>
      )}
    </div>
  )
}

function Generation({ next, more, names }: RemixRoot & Pick<Remixes, 'names'>) {
  if (next.length === 0) return null
  return (
    <ul className="space-y-1">
      {next.map((node) => (
        <li key={`${node.kind}/${node.name}`}>
          <p className="flex min-h-9 flex-wrap items-center gap-x-3 touch:min-h-11">
            <RemixLink node={node} />
            <span className="text-ink-soft text-xs">
              by{' '}
              <a className={quietLink} href={ownerHref(node.owner)}>
                {names.has(node.owner) ? (
                  <bdi>{names.get(node.owner)}</bdi>
                ) : (
                  <span className="mono">0x{shortHex(node.owner)}</span>
                )}
              </a>
            </span>
          </p>
          {node.next.length === 0 ? null : (
            <div className="ml-3 border-line border-l pl-4">
              <Generation next={node.next} more={node.more} names={names} />
            </div>
          )}
        </li>
      ))}
      {more ? <li className="py-1 text-ink-soft text-xs">and older ones</li> : null}
    </ul>
  )
}

function RemixLink({ node: { kind, name, title } }: { node: RemixNode }) {
  if (kind === 'world') {
    return (
      <a className={`${textLink} [overflow-wrap:anywhere]`} href={worldPageHref(name)}>
        {title}
      </a>
    )
  }
  return (
    <>
      <KindMark kind={kind} />
      <a className={`${textLink} mono [overflow-wrap:anywhere]`} href={entityHref(kind, name)}>
        {name}
      </a>
    </>
  )
}
