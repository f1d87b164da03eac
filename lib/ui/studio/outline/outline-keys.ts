import type { KeyboardEvent } from 'react'
import { type Action, actionAt } from '#lib/studio/actions.ts'
import type { NodeRef } from '#lib/studio/document/node-ref.ts'
import type { Row, SlotsRow, VoiceRow } from './rows.ts'

/** Parts of an outline that its keys reach. */
interface Reach {
  readonly rows: readonly Row[]
  readonly current: Row | undefined
  /** The row or cell of a key. */
  readonly element: (key: string) => HTMLElement | null | undefined
  readonly focusField: (at: NodeRef) => void
  readonly toggle: (row: VoiceRow) => void
  readonly expand: (voice: string, first: SlotsRow) => void
  readonly actions: readonly Action[]
}

/** Handles the keys of an outline: on a line, on a cell of a line, and in a field of either. */
export function outlineKeys({ rows, current, element, focusField, toggle, expand, actions }: Reach) {
  const step = (by: number) => {
    const index = current === undefined ? -1 : rows.indexOf(current)
    const next = rows[Math.max(0, Math.min(rows.length - 1, index + by))]
    if (next) element(next.key)?.focus()
  }

  return (event: KeyboardEvent<HTMLElement>) => {
    const { target } = event
    if (!(target instanceof HTMLElement)) return
    const inField = target instanceof HTMLInputElement
    if (target instanceof HTMLSelectElement) return
    const plain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey
    const line = target.closest<HTMLElement>('[data-row]')
    const handled = () => event.preventDefault()
    if (inField && event.key === 'Escape') {
      handled()
      line?.focus()
      return
    }
    if (inField && event.key === 'Enter' && plain) {
      handled()
      const cells = cellsAround(line)
      const next = line === null ? undefined : cells[cells.indexOf(line) + 1]
      if (next === undefined) step(1)
      else next.querySelector<HTMLElement>('input')?.focus()
      return
    }
    const id = actionAt(inField ? 'field' : 'line', event)
    const action = actions.find((each) => each.id === id && !each.native)
    if (action !== undefined) {
      handled()
      if (action.enabled) action.run()
      return
    }
    // What is pressed between the fields of a line is the line.
    const isLine = target === line || target.getAttribute('role') === 'gridcell'
    if (inField || !plain || current === undefined || line === null || !isLine) return
    if (line.getAttribute('role') === 'gridcell') onCell(line)
    else if (line === element(current.key)) onLine(current, line)

    function onCell(cell: HTMLElement) {
      const cells = cellsAround(cell)
      const at = cells.indexOf(cell)
      const go = (to: number) => {
        handled()
        ;(cells[to] ?? (to < 0 ? element(current!.key) : cell))?.focus()
      }
      switch (event.key) {
        case 'ArrowRight':
          return go(at + 1)
        case 'ArrowLeft':
          return go(at - 1)
        case 'Home':
          return go(0)
        case 'End':
          return go(cells.length - 1)
        case 'ArrowDown':
        case 'ArrowUp': {
          handled()
          step(event.key === 'ArrowDown' ? 1 : -1)
          // In the same column, where the next line has cells, too.
          const row = document.activeElement
          if (row instanceof HTMLElement) cellsOf(row)[at]?.focus()
          return
        }
        case 'Enter':
          handled()
          cell.querySelector<HTMLElement>('input')?.focus()
          return
        case ' ':
          handled()
          // Only a level can be switched.
          cell.querySelector<HTMLElement>('input[data-on]')?.click()
          cell.focus()
          return
        default:
          // The digit goes to where the focus is then.
          if (/^[0-9]$/.test(event.key)) cell.querySelector<HTMLElement>('input')?.focus()
      }
    }

    function onLine(row: Row, own: HTMLElement) {
      switch (event.key) {
        case 'ArrowDown':
          handled()
          return step(1)
        case 'ArrowUp':
          handled()
          return step(-1)
        case 'Home':
          handled()
          return step(-rows.length)
        case 'End':
          handled()
          return step(rows.length)
        case 'ArrowRight':
        case 'Enter': {
          handled()
          if (row.kind === 'dimension' && (!row.open || event.key === 'Enter')) return toggle(row)
          if (row.kind === 'dimension') return step(1)
          if (row.kind === 'slots') return expand(row.voice, row)
          const first = cellsOf(own)[0]
          return first === undefined ? focusField(row.at) : first.focus()
        }
        case 'ArrowLeft': {
          handled()
          if (row.kind === 'dimension' && row.open) return toggle(row)
          if (row.level === 1) return
          const parent = rows.slice(0, rows.indexOf(row)).findLast(({ level }) => level < row.level)
          if (parent) element(parent.key)?.focus()
        }
      }
    }
  }
}

/** Cells of a line that can have the focus. */
function cellsOf(line: Element): HTMLElement[] {
  return [...line.querySelectorAll<HTMLElement>('[role=gridcell][data-row]')]
}

function cellsAround(cell: HTMLElement | null): HTMLElement[] {
  const line = cell?.closest('[role=row]')
  return line ? cellsOf(line) : []
}
