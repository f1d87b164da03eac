import { SlidersHorizontal } from 'lucide-react'
import type { ReactNode } from 'react'

/**
 * The one row above a list: the tabs of the page, and its other filters in a menu that works without a script.
 *
 * @param chosen What differs from the beginning, in words.
 */
export function FilterRow({
  children,
  labels,
  menu,
}: {
  children?: ReactNode
  labels: readonly string[]
  menu: ReactNode
}) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
      <div className="min-w-0 flex-1 basis-80">{children}</div>
      <details data-filter className="group/filter relative max-w-full">
        <summary className="flex min-h-9 w-fit cursor-pointer items-center gap-2 rounded-md border border-edge px-3 font-medium text-sm transition-colors hover:border-accent hover:text-accent group-open/filter:border-ink touch:min-h-11">
          <SlidersHorizontal className="size-4 shrink-0" aria-hidden="true" />
          <span className="min-w-0 truncate">{labels.length === 0 ? 'Filter' : labels.join(', ')}</span>
        </summary>
        <div className="z-over mt-1 w-[min(24rem,calc(100vw-2rem))] space-y-4 rounded-lg border border-edge bg-raised p-4 shadow-lg sm:absolute sm:right-0">
          {menu}
        </div>
      </details>
    </div>
  )
}

/** One filter as links, so that every choice has an address and works without a script. */
export function FilterLinks<T>({
  label,
  choices,
  value,
  hrefOf,
  titled = true,
}: {
  label: string
  choices: readonly (readonly [label: string, value: T])[]
  /** The one that is chosen. */
  value: T
  hrefOf: (value: T) => string
  /** Whether its label is in sight: tabs of a page need none. */
  titled?: boolean
}) {
  return (
    <nav aria-label={label} className="-mx-2 min-w-0">
      {titled ? (
        <span aria-hidden="true" className="block px-2 text-ink-soft text-sm">
          {label}
        </span>
      ) : null}
      <ul className="flex min-w-0 flex-wrap gap-x-1">
        {choices.map(([text, each]) => (
          <li key={text}>
            <a
              href={hrefOf(each)}
              aria-current={each === value ? 'true' : undefined}
              className="inline-flex min-h-9 items-center border-transparent border-b-2 px-2 text-ink-soft text-sm transition-colors hover:text-accent aria-[current]:border-accent aria-[current]:font-medium aria-[current]:text-ink"
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Pictures or a list. */
export const LAYOUTS = [
  ['Pictures', false],
  ['List', true],
] as const
