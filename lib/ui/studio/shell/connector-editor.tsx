'use client'

import type { ConnectorEntry } from '#lib/studio/document/types.ts'
import { LoadLater, laterPart } from '#lib/ui/kit/load-later.tsx'
import { Segmented } from '#lib/ui/kit/segmented.tsx'
import { useEditorChoice, useGraphFits } from '../common/editor-choice.ts'

export const outline = laterPart('The editor', () =>
  import('../outline/connector-outline.tsx').then((loaded) => loaded.ConnectorOutline),
)

const graph = laterPart('The graph', () =>
  import('../graph/graph-editor.tsx').then((loaded) => loaded.ConnectorGraph),
)

/** A connector in the chosen editor. */
export function ConnectorEditor({ entry, readOnly = false }: { entry: ConnectorEntry; readOnly?: boolean }) {
  const [{ editor }] = useEditorChoice()
  const room = useGraphFits()
  if (editor !== 'graph' || !room) {
    return (
      <LoadLater
        part={outline}
        props={{ entry, form: editor === 'list' ? 'list' : 'score', readOnly }}
        opening="Opening the editor…"
      />
    )
  }
  return (
    // As high as the pane: what is below is scrolled to.
    <div className="flex min-h-[max(24rem,calc(100dvh-12rem))] flex-1 flex-col">
      <LoadLater
        key={readOnly ? entry.name : entry.id}
        part={graph}
        props={{ root: readOnly ? { name: entry.name } : { entryId: entry.id } }}
        opening={<p className="grid flex-1 place-items-center text-ink-soft">Opening the graph…</p>}
      />
    </div>
  )
}

const EDITORS = [
  ['score', 'Score'],
  ['list', 'List'],
  ['graph', 'Graph'],
] as const

/** Switches between the editors of connectors that the window is wide enough for. */
export function EditorSwitch() {
  const [{ editor }, change] = useEditorChoice()
  const hasGraph = useGraphFits()
  const shown = EDITORS.filter(([which]) => hasGraph || which !== 'graph')
  const chosen = shown.some(([which]) => which === editor) ? editor : 'score'
  return (
    <Segmented
      label="Edit as"
      choices={shown}
      value={chosen}
      onChoose={(which) => change({ editor: which })}
    />
  )
}
