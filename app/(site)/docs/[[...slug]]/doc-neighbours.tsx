import { DOC_SECTIONS, type DocPage, docHref } from '../../../../lib/site-data/docs/catalog.ts'

const ENTRIES = DOC_SECTIONS.flatMap(({ entries }) => entries)

/** What is read before and after a page. */
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
