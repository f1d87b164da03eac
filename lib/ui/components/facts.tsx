import type { ReactNode } from 'react'

/**
 * Facts as names and values, one below the other.
 *
 * @param stacked Values stand below their names: for narrow places and long values.
 */
export function Facts({ stacked = false, children }: { stacked?: boolean; children: ReactNode }) {
  return (
    <dl className={`border-line border-b ${stacked ? '' : 'sm:[&>div]:grid-cols-[9rem_minmax(0,1fr)]'}`}>
      {children}
    </dl>
  )
}

/** One fact. @param note Explains the term. */
export function Fact({ label, note, children }: { label: string; note?: ReactNode; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 gap-y-0.5 border-line border-t py-2.5 text-sm">
      <dt className="text-ink-soft">{label}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">
        {children}
        {note ? <span className="mt-0.5 block text-ink-soft text-xs">{note}</span> : null}
      </dd>
    </div>
  )
}
