import { kindName } from '#lib/protocol/kind-name.ts'
import { Breakable } from '#lib/ui/components/breakable.tsx'
import { TILE } from '#lib/ui/components/entity-href.ts'
import { TimeAgo } from '#lib/ui/components/time-ago.tsx'
import { quietLink } from '#lib/ui/kit/link-style.ts'
import { HitMark } from './hit-mark.tsx'
import type { HitView } from './hit-view.ts'

/**
 * Hits as a list of links.
 *
 * @param kinds Whether to show kinds.
 * @param nowMs The server's time, for relative times.
 */
export function HitList({
  hits,
  kinds = false,
  nowMs = 0,
}: {
  hits: readonly HitView[]
  kinds?: boolean
  nowMs?: number
}) {
  return (
    <ul>
      {hits.map(({ kind, title, code, detail, href, address, atMs }) => (
        <li key={`${kind} ${href}`} className="group flex items-center gap-3.5 border-line border-t py-2.5">
          <HitMark kind={kind} address={address} />
          <span className="min-w-0 flex-1">
            <a
              href={href}
              className={`${quietLink} block [overflow-wrap:anywhere] ${code ? 'mono text-sm' : 'text-base'}`}
            >
              {code ? <Breakable name={title} /> : title}
            </a>
            <span className="block text-ink-soft text-sm [overflow-wrap:anywhere]">
              {kinds ? `${kindName(kind)}, ` : ''}
              {detail}
            </span>
          </span>
          {atMs === undefined ? null : (
            <span className="shrink-0 text-ink-soft text-sm">
              <TimeAgo ms={atMs} nowMs={nowMs} />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Pictures that are loaded eagerly: the first row of a phone. */
const FIRST = 2

/**
 * Hits as pictures with their names; those without a picture show their icon.
 *
 * @param kinds Whether to show kinds.
 */
export function HitTiles({ hits, kinds = false }: { hits: readonly HitView[]; kinds?: boolean }) {
  return (
    <ul className="grid grid-cols-2 gap-x-4 gap-y-6 pt-1 sm:grid-cols-[repeat(auto-fill,minmax(12rem,1fr))]">
      {hits.map(({ kind, title, code, detail, href, address, picture }, index) => (
        <li key={`${kind} ${href}`} className="group relative min-w-0">
          <div
            className={`relative grid aspect-video place-items-center overflow-hidden rounded-md bg-sunk outline outline-line transition-[outline-color] group-hover:outline-accent ${picture === undefined || kind === 'world' ? '' : 'played'}`}
          >
            {picture === undefined ? (
              <HitMark kind={kind} address={address} />
            ) : (
              // biome-ignore lint/performance/noImgElement: drawn by this server, in the size in which it is shown
              <img
                {...TILE}
                src={picture}
                alt=""
                loading={index < FIRST ? 'eager' : 'lazy'}
                fetchPriority={index < FIRST ? 'high' : 'auto'}
                decoding="async"
                className="size-full object-cover"
              />
            )}
          </div>
          <a
            href={href}
            className={`mt-2 block decoration-2 decoration-accent underline-offset-4 outline-none [overflow-wrap:anywhere] after:absolute after:inset-0 after:rounded-md focus-visible:after:outline-2 focus-visible:after:outline-accent group-hover:underline ${code ? 'mono text-sm' : 'text-base'}`}
          >
            {code ? <Breakable name={title} /> : title}
          </a>
          <span className="block text-ink-soft text-xs [overflow-wrap:anywhere] empty:hidden">
            {kinds ? `${kindName(kind)}, ` : ''}
            {detail}
          </span>
        </li>
      ))}
    </ul>
  )
}
