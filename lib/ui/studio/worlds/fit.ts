import { formatHash, scalarLabels } from '../../../domain/format-hash.ts'
import {
  type Compatibility,
  type OfferedConnector,
  worldCompatibility,
} from '../../../domain/world-compatibility.ts'
import type { PluginWorld } from '../../../site-data/plugin-worlds.ts'
import type { Shape, ShapeFound } from '../document/shapes.ts'

/** A connector of the studio as Worlds are compared with it; undefined while it is not whole. */
export function offeredConnector(shape: ShapeFound): OfferedConnector | undefined {
  if (typeof shape === 'string') return undefined
  const before = offered.get(shape)
  if (before !== undefined) return before
  const next = {
    name: shape.name || 'this connector',
    formatHash: formatHash(shape.leaves),
    scalars: scalarLabels(shape.leaves),
  }
  offered.set(shape, next)
  return next
}

const offered = new WeakMap<Shape, OfferedConnector>()

/** How well it suits a World, unsaved as it is. */
export function fitOf({ needs, formats }: PluginWorld, connector: OfferedConnector): Compatibility {
  return worldCompatibility(needs, connector, new Map(formats.map(({ hash, scalars }) => [hash, scalars])))
}
