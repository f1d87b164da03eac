import { DOC_SECTIONS, type DocPage, docHref } from '#lib/server/docs/catalog.ts'
import type { Heading } from '#lib/ui/docs/headings.ts'

interface Props {
  readonly current: string
  readonly headings: readonly Heading[]
}

/** Navigation of the documentation, with the headings of the current page. */
export function DocList({ current, headings }: Props) {
  return (
    <nav
      id="pages"
      aria-label="Documentation"
      className="scroll-mt-6 border-line max-lg:mt-14 max-lg:border-t max-lg:pt-8 lg:sticky lg:top-0 lg:col-start-1 lg:row-start-1 lg:max-h-dvh lg:self-start lg:overflow-y-auto lg:pt-14 lg:pb-8"
    >
      {DOC_SECTIONS.map(({ title, entries }) => (
        <div key={title} className="mt-6 first:mt-0">
          <p id={idOf(title)} className="text-ink-soft text-sm">
            {title}
          </p>
          <ul aria-labelledby={idOf(title)} className="mt-1 border-line border-l">
            {entries.map((entry) => (
              <li key={docHref(entry)}>
                <a
                  href={docHref(entry)}
                  aria-current={docHref(entry) === current ? 'page' : undefined}
                  className="-ml-px block border-transparent border-l-2 py-1.5 pl-3 text-sm transition-colors hover:border-accent hover:text-accent aria-[current]:border-accent aria-[current]:font-semibold max-lg:py-3"
                >
                  {entry.title}
                </a>
                {docHref(entry) === current ? <Parts headings={headings} /> : null}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

function Parts({ headings }: { headings: readonly Heading[] }) {
  return headings.length < 2 ? null : (
    <ul aria-label="On this page" className="mb-2">
      {headings.map(({ id, text }) => (
        <li key={id}>
          <a
            href={`#${id}`}
            className="block py-1 pl-6 text-ink-soft text-sm transition-colors hover:text-accent max-lg:py-3"
          >
            {text}
          </a>
        </li>
      ))}
    </ul>
  )
}

function idOf(title: string): string {
  return `pages-${title.toLowerCase()}`
}

const ENTRIES = DOC_SECTIONS.flatMap(({ entries }) => entries)

/** Links to the previous and next page. */
export function DocNeighbours({ page }: { page: DocPage }) {
  const index = ENTRIES.indexOf(page)
  const neighbours = [
    { entry: ENTRIES[index - 1], rel: 'prev', label: 'Before' },
    { entry: ENTRIES[index + 1], rel: 'next', label: 'Next' },
  ]
  return (
    <nav aria-label="Before and next" className="mt-14 grid gap-4 sm:grid-cols-2">
      {neighbours.map(({ entry, rel, label }) =>
        entry === undefined ? null : (
          <a
            key={rel}
            rel={rel}
            href={docHref(entry)}
            className="group rounded-md border border-line p-4 transition-colors hover:border-accent sm:only:col-start-2 sm:data-[rel=prev]:col-start-1"
          >
            <span className="block text-ink-soft text-sm">{label}</span>
            <span className="font-medium transition-colors group-hover:text-accent">{entry.title}</span>
          </a>
        ),
      )}
    </nav>
  )
}
