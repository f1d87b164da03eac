import { Breakable } from '../components/breakable.tsx'
import { quietLink } from '../components/link-style.ts'
import { TimeAgo } from '../components/time-ago.tsx'
import { HitMark } from './hit-mark.tsx'
import { type HitView, kindName } from './hit-view.ts'

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
