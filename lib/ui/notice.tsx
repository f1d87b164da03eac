import type { ReactNode } from 'react'
import { Mark } from './logo.tsx'

/** A state in place of content: what is so, why, and what to do next. Never an alarm. */
export function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex gap-4 rounded-lg border border-calm-line bg-calm p-5 sm:p-6">
      <Mark className="mt-0.5 hidden size-8 shrink-0 sm:block" />
      <div className="min-w-0 space-y-3">
        <p className="font-semibold text-lg">{title}</p>
        <div className="max-w-prose space-y-3 text-base [overflow-wrap:anywhere]">{children}</div>
      </div>
    </div>
  )
}
