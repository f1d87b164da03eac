import { createElement as h, useState } from 'react'
import type { ConnectorDefinition } from '#lib/protocol/definition.ts'
import type { LibraryEntity } from '#lib/studio/document/parts.ts'
import { entryInFront, tabInFront } from '#lib/studio/document/types.ts'
import { createLiveLibrary } from '#lib/studio/library/live-library.ts'
import { StudioDialog } from '#lib/ui/studio/common/dialog.tsx'
import { useSession } from '#lib/ui/studio/common/session.tsx'
import { KnownNames } from '#lib/ui/studio/library/library-panel.tsx'
import { ConnectorEditor, EditorSwitch } from '#lib/ui/studio/shell/connector-editor.tsx'
import { EntryList } from '#lib/ui/studio/shell/entry-list.tsx'
import { Palette } from '#lib/ui/studio/shell/palette.tsx'
import { PublishedView } from '#lib/ui/studio/shell/published-view.tsx'
import { drawStudio } from './studio-page.ts'

/* The editors of a connector, with a network handed over by the test. */

declare global {
  var published: readonly ConnectorDefinition[]
}

const live = createLiveLibrary(async (names) =>
  names.flatMap(({ kind, name }): LibraryEntity[] => {
    const owner = '0x00000000000000000000000000000000000000aa'
    const known = { name, owner, address: owner, contentHash: '0x00' } as const
    if (kind !== 'connector') return name === 'lift' ? [{ kind, ...known, argsCount: 1 }] : []
    const definition = globalThis.published.find((connector) => connector.name === name)
    return definition ? [{ kind, ...known, definition, formatHash: '0x00' }] : []
  }),
)

function Inside({ said }: { said: string }) {
  const tab = useSession(({ view }) => tabInFront(view))
  const entry = useSession(({ document, view }) => entryInFront(document, view))
  const [finding, setFinding] = useState(false)
  return h(
    'main',
    { className: 'p-4' },
    h('h1', { className: 'sr-only' }, 'Graph'),
    h('button', { type: 'button', onClick: () => setFinding(true) }, 'Find'),
    h('p', { role: 'status', className: 'min-h-6' }, said),
    h(
      'div',
      { className: 'grid gap-x-8 lg:grid-cols-[15rem_minmax(0,1fr)]' },
      h('div', null, h(EntryList)),
      h(
        'div',
        { className: 'flex min-h-[calc(62vh+75px)] min-w-0 flex-col' },
        entry && entry.kind === 'connector' ? h(EditorSwitch) : null,
        entry && entry.kind === 'connector'
          ? h(ConnectorEditor, { key: entry.id, entry })
          : tab?.kind === 'published'
            ? h(PublishedView, { kind: tab.entity, name: tab.name })
            : null,
      ),
    ),
    h(KnownNames),
    h(StudioDialog, {
      open: finding,
      onOpenChange: setFinding,
      title: 'Find and commands',
      // biome-ignore lint/correctness/noChildrenProp: the type of the component asks for them there
      children: h(Palette, { commands: [], onDone: () => setFinding(false) }),
    }),
  )
}

drawStudio(Inside, live)
