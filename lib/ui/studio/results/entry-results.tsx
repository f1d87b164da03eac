'use client'

import { useDeferredValue, useId, useMemo, useState } from 'react'
import type { PreviewRequest } from '../../../api/studio/preview-schemas.ts'
import { isEntityName } from '../../../domain/names.ts'
import { useStudio } from '../context.tsx'
import { type NodeRef, refKey } from '../document/node-ref.ts'
import type { ConnectorEntry } from '../document/types.ts'
import { placeRef } from '../preview/place-ref.ts'
import { sliceOf } from '../preview/slice-of.ts'
import { CountField } from './count-field.tsx'
import type { Place } from './model/run.ts'
import { ResultsPanel } from './results-panel.tsx'
import { usePreview } from './use-preview.ts'

type Slice = NonNullable<ReturnType<typeof sliceOf>>

const FIRST_COUNT = 64

/** The particles of a connector of the document, kept up with every edit. */
export function EntryResults({ entry }: { entry: ConnectorEntry }) {
  const { store, state, openTab } = useStudio()
  // Typing goes before preparing what to run.
  const document = useDeferredValue(state.document)
  const slice = useMemo(() => {
    const root = document.entries.find(({ id }) => id === entry.id)
    const found = root?.kind === 'connector' ? sliceOf(document, root) : undefined
    return found && isRunnable(found) ? found : undefined
  }, [document, entry.id])
  const show = (place: Place) => {
    const at = placeRef(store.getState().document, entry, place)
    openTab({ kind: 'entry', entryId: at.entryId })
    store.select([at])
    requestAnimationFrame(() => focusNode(at))
  }
  return (
    <LiveResults
      slice={slice}
      blocked="Not ready to run: something here or below is empty or marked."
      onShow={show}
    />
  )
}

/** The particles of a connector outside the document. */
export function PublishedResults({ name }: { name: string }) {
  const slice = useMemo(() => ({ connector_name: name, connectors: [], bodies: [] }), [name])
  return <LiveResults slice={slice} blocked="" />
}

/** @param blocked Why nothing runs while there is no slice. */
function LiveResults({
  slice,
  blocked,
  onShow,
}: {
  slice: Slice | undefined
  blocked: string
  onShow?: (place: Place) => void
}) {
  const title = useId()
  const [count, setCount] = useState(FIRST_COUNT)
  const request = useMemo<PreviewRequest | undefined>(
    () => slice && { ...slice, particles_count: count, dynamic_ri: {} },
    [slice, count],
  )
  const { run, explanation, explain, cancel, again } = usePreview(request)
  return (
    <section aria-labelledby={title} className="mt-8 border-ink border-t-2 pt-3">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h3 id={title} className="font-semibold text-lg">
          Particles
        </h3>
        <CountField count={count} onCount={setCount} />
      </div>
      <ResultsPanel
        run={run}
        blocked={request === undefined ? blocked : undefined}
        explanation={explanation}
        onExplain={explain}
        onCancel={cancel}
        onAgain={again}
        {...(onShow && { onShow })}
      />
    </section>
  )
}

/** What has no name yet, or one that cannot be, is nothing to ask the server about. */
function isRunnable({ connectors, bodies }: Slice): boolean {
  const names = [
    ...bodies.map(({ name }) => name),
    ...connectors.flatMap(({ name, dimensions, condition_name: condition }) => [
      name,
      ...(condition === '' ? [] : [condition]),
      ...dimensions.flatMap(({ transformations, composite, bindings }) => [
        ...transformations.map((call) => call.name),
        ...(composite === '' ? [] : [composite]),
        ...Object.values(bindings),
      ]),
    ]),
  ]
  return names.every(isEntityName) && connectors.every(({ dimensions }) => dimensions.length > 0)
}

function focusNode(at: NodeRef): void {
  document.querySelector<HTMLElement>(`[data-row="${CSS.escape(refKey(at))}"]`)?.focus()
}
