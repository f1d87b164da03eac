'use client'

import { lazy, Suspense } from 'react'
import { useEditorChoice, useGraphFits } from '../common/editor-choice.ts'
import type { ConnectorEntry } from '../document/types.ts'
import { ConnectorOutline } from '../outline/connector-outline.tsx'

const ConnectorGraph = lazy(() =>
  import('../graph/graph-editor.tsx').then((loaded) => ({ default: loaded.ConnectorGraph })),
)

/** A connector in the chosen editor: outline or graph. */
export function ConnectorEditor({ entry, readOnly = false }: { entry: ConnectorEntry; readOnly?: boolean }) {
  const [{ editor }] = useEditorChoice()
  const room = useGraphFits()
  return (
    <div>
      {room ? <EditorSwitch /> : <NoRoom />}
      {editor === 'graph' && room ? (
        <Suspense
          fallback={<p className="grid h-[60vh] place-items-center text-ink-soft">Opening the graph…</p>}
        >
          <ConnectorGraph
            key={readOnly ? entry.name : entry.id}
            root={readOnly ? { name: entry.name } : { entryId: entry.id }}
          />
        </Suspense>
      ) : (
        <ConnectorOutline entry={entry} readOnly={readOnly} />
      )}
    </div>
  )
}

const EDITORS = [
  ['outline', 'Outline'],
  ['graph', 'Graph'],
] as const

function EditorSwitch() {
  const [{ editor }, change] = useEditorChoice()
  return (
    <fieldset className="mb-2 flex w-fit rounded-md border border-edge p-0.5">
      <legend className="sr-only">Editor</legend>
      {EDITORS.map(([which, name]) => (
        <button
          key={which}
          type="button"
          aria-pressed={editor === which}
          onClick={() => change({ editor: which })}
          className="min-h-8 cursor-pointer rounded-sm px-3 text-sm transition-colors hover:bg-sunk aria-pressed:bg-ink aria-pressed:text-ground pointer-coarse:min-h-11"
        >
          {name}
        </button>
      ))}
    </fieldset>
  )
}

/** Shown where the graph was chosen in a wider window. */
function NoRoom() {
  const [{ editor }] = useEditorChoice()
  if (editor !== 'graph') return null
  return (
    <p className="pb-2 text-ink-soft text-sm">The graph needs a wider window. The outline can do the same.</p>
  )
}
