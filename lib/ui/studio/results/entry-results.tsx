'use client'

import { useDeferredValue, useMemo, useState } from 'react'
import type { PreviewRequest } from '../../../api/studio/preview-schemas.ts'
import { useStudio } from '../context.tsx'
import { type NodeRef, refKey } from '../document/node-ref.ts'
import type { ConnectorEntry } from '../document/types.ts'
import { placeRef } from '../preview/place-ref.ts'
import { sliceOf } from '../preview/slice-of.ts'
import { CountField } from './count-field.tsx'
import type { Place } from './model/run.ts'
import { ResultsPanel } from './results-panel.tsx'
import { usePreview } from './use-preview.ts'

const FIRST_COUNT = 64

/** The particles of a connector of the document, kept up with every edit. */
export function EntryResults({ entry }: { entry: ConnectorEntry }) {
  const { store, state, problems, openTab } = useStudio()
  const [count, setCount] = useState(FIRST_COUNT)
  // Typing goes before preparing what to run.
  const document = useDeferredValue(state.document)

  const slice = useMemo(() => {
    const root = document.entries.find(({ id }) => id === entry.id)
    return root?.kind === 'connector' ? sliceOf(document, root) : undefined
  }, [document, entry.id])
  const request = useMemo<PreviewRequest | undefined>(
    () =>
      slice === undefined || !isRunnable(slice)
        ? undefined
        : { ...slice, particles_count: count, dynamic_ri: {} },
    [slice, count],
  )
  const first = problems.find(({ at, severity }) => severity === 'error' && at.entryId === entry.id)
  const blocked =
    request === undefined
      ? `Not ready to run: ${first?.sentence ?? 'something below it is not finished.'}`
      : undefined
  const { run, explanation, explain, cancel, again } = usePreview(request)

  const show = (place: Place) => {
    const at = placeRef(store.getState().document, entry, place)
    openTab({ kind: 'entry', entryId: at.entryId })
    store.select([at])
    requestAnimationFrame(() => focusNode(at))
  }
  return (
    <section aria-labelledby="results-title" className="mt-8 border-ink border-t-2 pt-3">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h3 id="results-title" className="font-semibold text-lg">
          Particles
        </h3>
        <CountField count={count} onCount={setCount} />
      </div>
      <ResultsPanel
        run={run}
        blocked={blocked}
        explanation={explanation}
        onExplain={explain}
        onCancel={cancel}
        onAgain={again}
        onShow={show}
      />
    </section>
  )
}

/** Names still to be chosen are nothing to ask the server about. */
function isRunnable({ connectors, bodies }: NonNullable<ReturnType<typeof sliceOf>>): boolean {
  const named = [...connectors, ...bodies].every(({ name }) => name !== '')
  return (
    named &&
    connectors.every(
      ({ dimensions }) =>
        dimensions.length > 0 &&
        dimensions.every(
          ({ transformations, bindings }) =>
            transformations.every(({ name }) => name !== '') &&
            Object.values(bindings).every((name) => name !== ''),
        ),
    )
  )
}

function focusNode(at: NodeRef): void {
  document.querySelector<HTMLElement>(`[data-row="${CSS.escape(refKey(at))}"]`)?.focus()
}
