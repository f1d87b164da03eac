'use client'

import type { PluginWorld } from '../../../site-data/plugin-worlds.ts'
import { WorldFrame } from '../../world/world-frame.tsx'
import { useDrawnRun } from './drawn-runs.ts'

/** A World drawing what the results of a connector show. @param of `tabKey` of the connector's tab. */
export function PluginFrame({ of, plugin, shape }: { of: string; plugin: PluginWorld; shape: string }) {
  return <WorldFrame world={plugin.tile.framed} payload={useDrawnRun(of)} shape={shape} />
}
