'use client'

import { useStudio } from '../context.tsx'
import { tabKey } from '../document/types.ts'
import { offeredConnector } from './fit.ts'
import { PluginList } from './plugin-list.tsx'
import { useWorldsOf } from './use-worlds-of.ts'
import { fullOf } from './worlds-section.tsx'

/** Worlds in the library: a click attaches one to the connector that is open. */
export function WorldsLibrary() {
  const { state, shapes } = useStudio()
  const { view, document } = state
  const tab = view.tabs.find((open) => tabKey(open) === view.active)
  const entry = tab?.kind === 'entry' ? document.entries.find(({ id }) => id === tab.entryId) : undefined
  const shape =
    tab?.kind === 'published' && tab.entity === 'connector'
      ? shapes.ofOutside(tab.name)
      : entry?.kind === 'connector'
        ? shapes.ofEntry(entry)
        : undefined
  const worlds = useWorldsOf(view.active ?? '')
  return (
    <PluginList
      connector={shape && offeredConnector(shape)}
      attached={new Set(shape === undefined ? [] : worlds.attached.map(({ world }) => world))}
      blocked={
        shape === undefined ? 'Open a connector to attach one to it.' : worlds.room ? undefined : fullOf()
      }
      onAttach={worlds.attach}
    />
  )
}
