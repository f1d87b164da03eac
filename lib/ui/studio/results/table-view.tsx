'use client'

import { type UIEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { formatInteger } from '#lib/browser/format.ts'
import { type Stream, stepsOf } from '#lib/studio/runs/run.ts'
import { Press } from '#lib/ui/kit/button.tsx'

const ROW_PX = 28
const COLUMN_PX = 128
const STEP_PX = 72
const HEIGHT_PX = 22 * 16
/** Rows and columns beyond the edge, so that scrolling shows no gap. */
const SPARE = 6

/**
 * Every value of a run; only what is in sight is in the page. Choosing a cell chooses its step and path; the step
 * that is chosen elsewhere is scrolled into sight.
 */
export function TableView({
  streams,
  chosen,
  step,
  onChoose,
  onStep,
}: {
  streams: readonly Stream[]
  chosen: number
  step: number
  onChoose: (index: number) => void
  onStep: (step: number) => void
}) {
  const box = useRef<HTMLElement>(null)
  const [at, setAt] = useState({ top: 0, left: 0 })
  const [width, setWidth] = useState(0)
  const steps = stepsOf(streams)

  useEffect(() => {
    const element = box.current
    if (!element) return
    const resized = new ResizeObserver(() => setWidth(element.clientWidth))
    resized.observe(element)
    return () => resized.disconnect()
  }, [])

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const top = step * ROW_PX
    const room = element.clientHeight - ROW_PX
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + ROW_PX > element.scrollTop + room) element.scrollTop = top + ROW_PX - room
  }, [step])

  const rows = inSight(at.top, HEIGHT_PX, ROW_PX, steps)
  const columns = inSight(at.left, width, COLUMN_PX, streams.length)
  const shown = streams.slice(columns.from, columns.to)
  const left = columns.from * COLUMN_PX
  const right = (streams.length - columns.to) * COLUMN_PX
  const edges = (key: string) => ({
    before: left > 0 ? <td key={`${key} before`} aria-hidden="true" /> : null,
    after: right > 0 ? <td key={`${key} after`} aria-hidden="true" /> : null,
  })
  const head = edges('head')
  return (
    <section
      ref={box}
      aria-label="Numbers by step and voice"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
      tabIndex={0}
      className="overflow-auto rounded-md border border-line bg-raised"
      style={{ maxHeight: HEIGHT_PX }}
      onScroll={({ currentTarget }: UIEvent<HTMLElement>) =>
        setAt({ top: currentTarget.scrollTop, left: currentTarget.scrollLeft })
      }
    >
      <table
        aria-rowcount={steps + 1}
        aria-colcount={streams.length + 1}
        className="mono table-fixed text-right text-xs"
        style={{ width: STEP_PX + streams.length * COLUMN_PX }}
      >
        <colgroup>
          <col style={{ width: STEP_PX }} />
          {left > 0 ? <col style={{ width: left }} /> : null}
          {shown.map(({ path }) => (
            <col key={path} style={{ width: COLUMN_PX }} />
          ))}
          {right > 0 ? <col style={{ width: right }} /> : null}
        </colgroup>
        <thead className="sticky top-0 z-over bg-sunk">
          <tr aria-rowindex={1} style={{ height: ROW_PX }}>
            <th scope="col" aria-colindex={1} className="px-2 font-normal text-ink-soft">
              step
            </th>
            {head.before}
            {shown.map(({ path }, offset) => {
              const column = columns.from + offset
              return (
                <th
                  key={path}
                  scope="col"
                  aria-colindex={column + 2}
                  title={path}
                  className={`truncate px-2 font-medium ${column === chosen ? 'text-accent' : ''}`}
                >
                  {shortPath(path)}
                </th>
              )
            })}
            {head.after}
          </tr>
        </thead>
        <tbody>
          <Gap height={rows.from * ROW_PX} />
          {Array.from({ length: rows.to - rows.from }, (_, offset) => {
            const row = rows.from + offset
            const edge = edges(String(row))
            return (
              <tr
                key={row}
                aria-rowindex={row + 2}
                className={row === step ? 'bg-calm' : row % 2 === 1 ? 'bg-ground' : ''}
                style={{ height: ROW_PX }}
              >
                <th scope="row" aria-colindex={1} className="px-2 font-normal text-ink-soft">
                  {formatInteger(row)}
                </th>
                {edge.before}
                {shown.map(({ path, data }, columnOffset) => {
                  const column = columns.from + columnOffset
                  const value = data[row]
                  return (
                    <td key={path} aria-colindex={column + 2} className="p-0">
                      {value === undefined ? null : (
                        <Press // The slider and the paths do the same by keyboard; a stop for every value would be no help.
                          tabIndex={-1}
                          onClick={() => {
                            onStep(row)
                            onChoose(column)
                          }}
                          className={`w-full px-2 text-right leading-7 hover:text-accent ${row === step && column === chosen ? 'font-medium underline decoration-2 decoration-accent underline-offset-4' : ''}`}
                        >
                          {formatInteger(value)}
                        </Press>
                      )}
                    </td>
                  )
                })}
                {edge.after}
              </tr>
            )
          })}
          <Gap height={(steps - rows.to) * ROW_PX} />
        </tbody>
      </table>
    </section>
  )
}

/** A path without the connector that all of them begin with; of a long one the end, which tells it from its neighbours. */
function shortPath(path: string): string {
  const [, , ...below] = path.split('/')
  const own = below.length === 0 ? path.slice(path.lastIndexOf(':') + 1) : below.join('/')
  return own.length > 14 ? `…${own.slice(-13)}` : own
}

/** Room for the rows that are not in the page. */
function Gap({ height }: { height: number }) {
  return height > 0 ? (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus
    <tr aria-hidden="true">
      <td style={{ height }} />
    </tr>
  ) : null
}

function inSight(scrolled: number, length: number, each: number, count: number) {
  const from = Math.max(0, Math.floor(scrolled / each) - SPARE)
  return { from, to: Math.min(count, Math.ceil((scrolled + length) / each) + SPARE) }
}
