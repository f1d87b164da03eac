import type { ReactNode } from 'react'

/** Filters of a page: on phones behind one line, elsewhere in sight. */
export function FoldedFilters({ children, className = '' }: { children: ReactNode; className?: string }) {
  return (
    <details className="sm:[&::details-content]:[content-visibility:visible]">
      <summary className="min-h-11 w-fit cursor-pointer py-2.5 font-medium text-sm sm:hidden">
        Filters
      </summary>
      <div className={className}>{children}</div>
    </details>
  )
}

/** One filter as links, so that every choice has an address and works without a script. */
export function FilterLinks<T>({
  label,
  choices,
  value,
  hrefOf,
}: {
  label: string
  choices: readonly (readonly [label: string, value: T])[]
  /** The one that is chosen. */
  value: T
  hrefOf: (value: T) => string
}) {
  return (
    <nav aria-label={label} className="-mx-2 flex min-w-0 items-baseline gap-3 sm:mx-0">
      <span aria-hidden="true" className="w-12 shrink-0 text-ink-soft text-sm max-sm:hidden">
        {label}
      </span>
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
