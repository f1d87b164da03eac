'use client'

import type { MouseEvent } from 'react'
import { counted } from '#lib/browser/format.ts'
import { threadColor } from '#lib/ui/components/thread-colors.ts'

const STRANDS = 6

/** As many short threads as the connector has paths, up to six. */
function Strands({ paths }: { paths: number }) {
  const strands = Array.from({ length: Math.min(paths, STRANDS) }, (_, index) => threadColor(index))
  return (
    <span aria-hidden="true" className="flex h-5 w-9 shrink-0 flex-col justify-center gap-[2px]">
      {strands.map((color) => (
        <span key={color} className="h-[2px] rounded-full" style={{ background: color }} />
      ))}
    </span>
  )
}

/** The listed connectors as links, so that they work without a script; with one, a click only changes the plot. */
export function Picker({
  choices,
  connector,
  count,
  onChoose,
}: {
  choices: readonly Choice[]
  connector: string
  count: number
  onChoose: (name: string) => void
}) {
  const choose = (event: MouseEvent, name: string) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    onChoose(name)
  }
  return (
    <ul
      aria-label="Connectors, newest first after the chosen ones"
      className="flex max-h-[30rem] gap-1 overflow-auto max-lg:-mx-4 max-lg:px-4 max-lg:pb-2 max-sm:scroll-px-4 lg:flex-col"
    >
      {choices.map(({ name, paths, conditionName }) => {
        const current = name === connector
        return (
          <li key={name} className="shrink-0 max-lg:max-w-[80vw]">
            <a
              href={choiceHref(name, count)}
              aria-current={current ? 'true' : undefined}
              onClick={(event) => choose(event, name)}
              className="flex min-h-12 items-center gap-3 border-transparent px-3 py-1.5 transition-colors hover:bg-sunk aria-[current]:border-accent aria-[current]:bg-raised max-lg:border-b-2 lg:border-l-2"
            >
              <Strands paths={paths ?? 0} />
              <span className="min-w-0">
                <span className="mono block font-medium text-xs [overflow-wrap:anywhere]">{name}</span>
                <span className="block truncate text-ink-soft text-xs">
                  {paths === undefined ? 'not verified yet' : counted(paths, 'path')}
                  {conditionName ? ', with a condition' : ''}
                </span>
              </span>
            </a>
          </li>
        )
      })}
    </ul>
  )
}

/** A listed connector. */
export interface Choice {
  readonly name: string
  /** Undefined while its definition is not verified, and for a connector that is not among the listed ones. */
  readonly paths: number | undefined
  /** Empty for none. */
  readonly conditionName: string
  readonly conditionArgs: readonly number[]
}

/** Address of the first page showing a connector. */
export function choiceHref(connector: string, count: number): string {
  return `/?connector=${encodeURIComponent(connector)}&count=${count}#particles`
}
