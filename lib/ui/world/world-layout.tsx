import type { ReactNode } from 'react'
import { Part } from '#lib/ui/components/part.tsx'

interface Props {
  frame: ReactNode
  /** Controls of what feeds the World. */
  fedBy: ReactNode
  /** Sections under the controls. */
  facts: ReactNode
  /** Under the frame. */
  below: ReactNode
}

/** A World with what feeds it and facts about it beside the frame. */
export function WorldLayout({ frame, fedBy, facts, below }: Props) {
  return (
    <div className="grid gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_23rem] lg:grid-rows-[auto_1fr] lg:items-start">
      <div className="min-w-0">{frame}</div>
      <aside
        aria-label="What feeds it"
        className="min-w-0 space-y-10 lg:col-start-2 lg:row-span-2 lg:row-start-1"
      >
        <Part id="fed" title="It plays">
          {fedBy}
        </Part>
      </aside>
      <div className="min-w-0 space-y-10 lg:col-start-1 lg:row-start-2">
        {below}
        <div className="grid gap-x-12 gap-y-10 md:grid-cols-2 md:items-start [&>*]:min-w-0">{facts}</div>
      </div>
    </div>
  )
}
