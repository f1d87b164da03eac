'use client'

import { ChevronDown, ChevronRight } from 'lucide-react'
import { memo } from 'react'
import type { Problem } from '../document/problem.ts'
import { ProblemNotes } from './problem-notes.tsx'
import { RowContent } from './row-content.tsx'
import type { Row } from './rows.ts'

const INDENT = ['', 'pl-0', 'pl-6 sm:pl-9', 'pl-12 sm:pl-18'] as const

/** One line of the outline: a row of a treegrid that can have the focus itself, with its fields inside. */
export const OutlineRow = memo(function OutlineRow({
  row,
  current,
  problems,
  readOnly,
  onChoose,
  onToggle,
}: {
  row: Row
  current: boolean
  problems: readonly Problem[] | undefined
  readOnly: boolean
  onChoose: (row: Row) => void
  onToggle: (row: Row) => void
}) {
  const notes = `notes-${row.key}`
  const { name, hint } = caption(row)
  const expandable = row.kind === 'dimension'
  return (
    <tr
      aria-level={row.level}
      aria-expanded={expandable ? row.open : undefined}
      aria-selected={current}
      aria-label={`${name} ${hint}`.trim()}
      tabIndex={current ? 0 : -1}
      data-row={row.key}
      onFocus={() => onChoose(row)}
      className={`scroll-my-24 border-line border-b outline-offset-[-2px] aria-selected:bg-sunk`}
    >
      <td className={`py-1.5 pr-2 ${INDENT[row.level]}`}>
        <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1.5">
          <span
            className={`flex shrink-0 items-center gap-1.5 whitespace-nowrap ${expandable ? '' : 'w-24 sm:w-32'}`}
          >
            {expandable ? (
              <button
                type="button"
                tabIndex={-1}
                aria-label={row.open ? `Close ${name}` : `Open ${name}`}
                onClick={() => onToggle(row)}
                className="-ml-1 grid size-7 cursor-pointer place-items-center rounded-md hover:bg-line"
              >
                {row.open ? <ChevronDown className="size-4" /> : <ChevronRight className="size-4" />}
              </button>
            ) : null}
            <span className={expandable ? 'font-semibold text-sm' : 'text-ink-soft text-sm'}>{name}</span>
            {hint === '' ? null : <span className="mono truncate text-ink-soft text-xs">{hint}</span>}
          </span>
          <RowContent row={row} problems={problems} describedBy={notes} readOnly={readOnly} />
        </div>
        {problems === undefined ? null : (
          <div className="pt-1 pb-1 sm:pl-32">
            <ProblemNotes problems={problems} id={notes} />
          </div>
        )}
      </td>
    </tr>
  )
})

function caption(row: Row): { name: string; hint: string } {
  switch (row.kind) {
    case 'dimension':
      return { name: `Dimension ${row.index}`, hint: '' }
    case 'call':
      return { name: 'step', hint: row.of === 1 ? '' : `${row.index + 1} of ${row.of}` }
    case 'composite':
      return { name: 'leads to', hint: '' }
    case 'slot':
      return { name: `slot ${row.slot}`, hint: row.label }
    case 'condition':
      return { name: 'Condition', hint: '' }
  }
}
