'use client'

import { useEffect, useMemo, useState } from 'react'
import type { PreviewRequest } from '#lib/server/operations/studio/preview-schemas.ts'
import type { ConnectorEntry } from '#lib/studio/document/types.ts'
import type { Sheet, SheetAnswer, SheetQuestion } from '#lib/studio/explore/messages.ts'
import { sliceOf } from '#lib/studio/runs/slice.ts'
import { useCurrentSession, useDocument } from '../common/session.tsx'

export interface SheetState {
  /** The newest sheet; while the next one is computed, the one before. */
  readonly sheet: Sheet | undefined
  readonly isWaiting: boolean
  /** Why there is no sheet for what is asked, with the next step; empty for none. */
  readonly problem: string
}

const PROBLEMS: Readonly<
  Record<Exclude<SheetAnswer['outcome'], 'sheet'> | 'unfinished' | 'unreachable', string>
> = {
  fixed: 'There is no number left to vary. Unlock starts, numbers or order, or add a step.',
  unable: 'This piece does not run in the browser, so it has no variations here. Its result says why.',
  unfinished: 'Something here or below is empty or marked. Mend it in the editor, and variations appear.',
  unreachable: 'The server cannot be reached to compile what was edited. Press Again to retry.',
}

/** Variations of an entry of the document, computed again when it or the question changes. */
export function useSheet(entry: ConnectorEntry, question: SheetQuestion): SheetState {
  const { computeSheet } = useCurrentSession()
  const document = useDocument()
  const key = useMemo(() => {
    const root = document.entries.find(({ id }) => id === entry.id)
    const slice = root?.kind === 'connector' ? sliceOf(document, root) : undefined
    return slice && JSON.stringify({ ...slice, particles_count: 1, dynamic_ri: {} })
  }, [document, entry.id])
  const [state, setState] = useState<SheetState>({ sheet: undefined, isWaiting: true, problem: '' })
  const { size, seed, locks, parents } = question

  useEffect(() => {
    if (key === undefined) {
      setState({ sheet: undefined, isWaiting: false, problem: PROBLEMS.unfinished })
      return
    }
    const controller = new AbortController()
    const { signal } = controller
    setState((before) => ({ ...before, isWaiting: true }))
    const request = { size, seed, locks, parents }
    computeSheet(JSON.parse(key) as PreviewRequest, request, signal).then(
      (answer) => {
        // Undefined, too, where a newer question took its place.
        if (signal.aborted) return
        const outcome = answer?.outcome ?? 'unable'
        setState({
          sheet: answer?.outcome === 'sheet' ? answer.sheet : undefined,
          isWaiting: false,
          problem: outcome === 'sheet' ? '' : PROBLEMS[outcome],
        })
      },
      () => {
        if (!signal.aborted) setState({ sheet: undefined, isWaiting: false, problem: PROBLEMS.unreachable })
      },
    )
    return () => controller.abort()
  }, [computeSheet, key, size, seed, locks, parents])

  return state
}
