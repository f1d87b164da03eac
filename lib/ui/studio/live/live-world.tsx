'use client'

import { useMemo } from 'react'
import { boundSet, primaryOf } from '../../../protocol/world-slots.ts'
import type { PluginWorld } from '../../../views/gallery.ts'
import { useSlots } from '../../world/feed/use-slots.ts'
import { runPayload } from '../../world/run-payload.ts'
import { WorldFrame } from '../../world/world-frame.tsx'
import type { GoodRun } from '../preview/run.ts'

/** A World that draws a run in the whole of its stage. */
export function LiveWorld({ world: { tile, needs }, run }: { world: PluginWorld; run: GoodRun }) {
  const { streams, asked } = run
  const name = asked.connector_name
  const drawn = useMemo(
    () =>
      runPayload(
        { connector: name, count: streams[0]?.data.length ?? 0, streams, dynamicRi: [] },
        'studio-plugin',
      ),
    [name, streams],
  )
  const paths = streams.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)).join(' ')
  const set = useMemo(
    () => boundSet(needs, primaryOf({ name, scalars: [...new Set(paths.split(' '))] }, needs), []),
    [needs, name, paths],
  )
  const { payload } = useSlots(drawn, set)
  return <WorldFrame world={tile.framed} payload={payload} shape="min-h-0 flex-1" bare />
}
