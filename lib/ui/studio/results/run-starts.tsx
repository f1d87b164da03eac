'use client'

import type { StartLine } from '../../../domain/start-lines.ts'
import { counted } from '../../format.ts'
import { StartFields } from '../../run/start-fields.tsx'
import type { ReadStarts, TypedStarts } from '../../run/typed-starts.ts'

/** The starts of this run only, closed until somebody wants them. */
export function RunStarts({
  starts,
  typed,
  read,
  onTyped,
}: {
  /** Undefined while the tree is not known. */
  starts: { readonly lines: readonly StartLine[]; readonly more: boolean } | undefined
  typed: TypedStarts
  read: ReadStarts
  onTyped: (typed: TypedStarts) => void
}) {
  return (
    <details className="border-line border-b">
      <summary className="min-h-11 cursor-pointer py-2.5 text-sm">
        Starts of this run: {typed.size === 0 ? 'none set' : counted(typed.size, 'position')}
        {read.ok ? null : <span className="text-madder">, one is no number</span>}
      </summary>
      <div className="pb-4">
        {starts === undefined ? (
          <p className="text-ink-soft text-sm">
            The positions appear once everything the connector leads to is known.
          </p>
        ) : (
          <>
            <p className="pb-2 text-ink-soft text-sm">
              For trying out: these go with the run, not into the connector.
            </p>
            <StartFields
              lines={starts.lines}
              more={starts.more}
              typed={typed}
              read={read}
              onTyped={onTyped}
            />
          </>
        )}
      </div>
    </details>
  )
}
