'use client'

import { useState } from 'react'
import { SearchField } from '#lib/ui/kit/field.tsx'

export interface IndexEntry {
  readonly href: string
  readonly method: string
  readonly path: string
  readonly summary: string
}

/** Links to all operations, narrowed by a part of method, path or summary. */
export function OperationIndex({
  apis,
}: {
  apis: readonly { title: string; entries: readonly IndexEntry[] }[]
}) {
  const [filter, setFilter] = useState('')
  const matches = ({ method, path, summary }: IndexEntry) =>
    `${method} ${path} ${summary}`.toLowerCase().includes(filter.trim().toLowerCase())
  const matchingApis = apis.map(({ title, entries }) => ({ title, entries: entries.filter(matches) }))
  return (
    <nav
      aria-label="Operations"
      className="max-lg:max-h-96 max-lg:overflow-y-auto max-lg:border-line max-lg:border-y max-lg:py-4 lg:sticky lg:top-0 lg:max-h-dvh lg:self-start lg:overflow-y-auto lg:py-8 lg:pr-2"
    >
      <div className="scripted p-0.5">
        <SearchField label="Filter operations" value={filter} onText={setFilter} />
      </div>
      {matchingApis.every(({ entries }) => entries.length === 0) ? (
        <p className="mt-4 text-ink-soft text-sm">No operation matches.</p>
      ) : null}
      {matchingApis.map(({ title, entries }) =>
        entries.length === 0 ? null : (
          <div key={title} className="mt-4">
            <p className="text-ink-soft text-sm">{title}</p>
            <ul className="mt-1">
              {entries.map(({ href, method, path, summary }) => (
                <li key={href}>
                  <a
                    href={href}
                    title={summary}
                    className="mono grid grid-cols-[3.5rem_minmax(0,1fr)] py-1 text-xs [overflow-wrap:anywhere] hover:text-accent max-lg:py-2"
                  >
                    <span className="text-ink-soft">{method}</span>
                    {path}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ),
      )}
    </nav>
  )
}
