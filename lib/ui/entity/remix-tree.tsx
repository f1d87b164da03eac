import type { Remixes, RemixNode } from '../../entities/remixes.ts'
import { entityHref, ownerHref } from '../components/entity-href.ts'
import { counted, shortHex } from '../components/format.ts'
import { KindMark } from '../components/kind-mark.tsx'
import { quietLink, textLink } from '../components/link-style.ts'

/** Whether there is anything to show. */
export function hasRemixes({ madeFrom, remixedBy }: Remixes): boolean {
  return madeFrom.next.length > 0 || remixedBy.next.length > 0
}

/** What an entity was made from and what was made from it, each as a tree over generations. */
export function RemixTree({ remixes, mostCounted }: { remixes: Remixes; mostCounted: number }) {
  const { madeFrom, remixedBy, count } = remixes
  return (
    <div className="space-y-6 text-sm">
      {madeFrom.next.length === 0 ? null : (
        <section aria-label="Made from">
          <h3 className="pb-1 font-medium">Made from</h3>
          <Generation {...madeFrom} />
        </section>
      )}
      {remixedBy.next.length === 0 ? null : (
        <section aria-label="Remixed by">
          <h3 className="pb-1 font-medium">
            Remixed {count >= mostCounted ? `${mostCounted} times and more` : counted(count, 'time')}
          </h3>
          <Generation {...remixedBy} />
        </section>
      )}
    </div>
  )
}

function Generation({ next, more }: Pick<RemixNode, 'next' | 'more'>) {
  if (next.length === 0) return null
  return (
    <ul className="space-y-1">
      {next.map((node) => (
        <li key={`${node.kind}/${node.name}`}>
          <p className="flex min-h-9 flex-wrap items-center gap-x-3 pointer-coarse:min-h-11">
            <KindMark kind={node.kind} />
            <a
              className={`${textLink} mono [overflow-wrap:anywhere]`}
              href={entityHref(node.kind, node.name)}
            >
              {node.name}
            </a>
            <span className="text-ink-soft text-xs">
              by{' '}
              <a className={`${quietLink} mono`} href={ownerHref(node.owner)}>
                0x{shortHex(node.owner)}
              </a>
            </span>
          </p>
          {node.next.length === 0 ? null : (
            <div className="ml-3 border-line border-l pl-4">
              <Generation next={node.next} more={node.more} />
            </div>
          )}
        </li>
      ))}
      {more ? <li className="py-1 text-ink-soft text-xs">and older ones</li> : null}
    </ul>
  )
}
