import type { Leaf } from '#lib/protocol/artifact.ts'
import type { ConnectorDefinition, Dimension, PositionedRunningInstance } from '#lib/protocol/definition.ts'
import {
  connectorDepth,
  connectorLeaves,
  countLeaves,
  MAX_DEPTH,
  MAX_LEAVES,
} from '#lib/protocol/format-hash.ts'
import type { Parts } from './parts.ts'
import type { ConnectorEntry } from './types.ts'

/**
 * The structure of a connector, from which its slots and positions follow. Transformations do not affect it.
 */
export interface Shape {
  readonly name: string
  /** Without transformations. */
  readonly dimensions: readonly Dimension[]
  /** Starts; a text that is no number yet counts as 0. */
  readonly staticRi: readonly PositionedRunningInstance[]
  /** Slots, in order. */
  readonly leaves: readonly Leaf[]
  readonly depth: number
  /** By name: the composites and binding targets. */
  readonly parts: ReadonlyMap<string, Shape>
}

/**
 * - `absent`, `unknown`: the connector, or one somewhere inside it.
 * - `broken`: it exists, but the registry would refuse it: a slot that does not exist, a circle, too large.
 */
export type ShapeFound = Shape | 'absent' | 'unknown' | 'broken'

export interface Shapes {
  ofName(name: string): ShapeFound
  /** Shape of the entity outside the document under a name, whatever the document holds. */
  ofOutside(name: string): ShapeFound
  /** Also of one that has no usable name yet. */
  ofEntry(entry: ConnectorEntry): ShapeFound
}

/** Parts of something outside the document are outside it too. */
type Scope = 'find' | 'outside'

interface Outline {
  readonly name: string
  readonly dimensions: readonly Omit<Dimension, 'transformations'>[]
  readonly staticRi: readonly {
    readonly position: number
    readonly startPoint: string | number
    readonly transformationShift: string | number
  }[]
}

/** Reused across edits while the parts are the same objects. */
const cache = new WeakMap<Outline, Shape>()

export function shapesOf(parts: Parts): Shapes {
  const memo = { find: new Map<string, ShapeFound>(), outside: new Map<string, ShapeFound>() }
  const inFlight = new Set<string>()

  const ofName = (name: string, scope: Scope): ShapeFound => {
    const before = memo[scope].get(name)
    if (before !== undefined) return before
    const part = parts[scope]('connector', name)
    if (typeof part === 'string') return part
    if (part.from === 'library' && scope === 'find') return ofName(name, 'outside')
    const key = `${scope}/${name}`
    if (inFlight.has(key)) return 'broken'
    const outline = outlineOf(part)
    if (outline === undefined) return 'absent'
    inFlight.add(key)
    const shape = build(outline, scope)
    inFlight.delete(key)
    memo[scope].set(name, shape)
    return shape
  }

  const build = (outline: Outline, scope: Scope): ShapeFound => {
    const used = new Map<string, Shape>()
    for (const { composite, bindings } of outline.dimensions) {
      if (composite === '' && bindings.length > 0) return 'broken'
      for (const name of composite === '' ? [] : [composite, ...bindings.map((binding) => binding.name)]) {
        const shape = ofName(name, scope)
        if (typeof shape === 'string') return shape
        used.set(name, shape)
      }
      const slots = composite === '' ? 0 : used.get(composite)!.leaves.length
      if (bindings.some(({ slot }) => slot >= slots)) return 'broken'
    }
    const before = cache.get(outline)
    if (before !== undefined && sameParts(before.parts, used)) return before
    const shape = shapeOf(outline, used)
    if (shape !== undefined) cache.set(outline, shape)
    return shape ?? 'broken'
  }

  return {
    ofName: (name) => ofName(name, 'find'),
    ofOutside: (name) => ofName(name, 'outside'),
    ofEntry: (entry) => build(entry, 'find'),
  }
}

function outlineOf(part: Exclude<ReturnType<Parts['find']>, string>): Outline | undefined {
  if (part.from === 'document') return part.entry.kind === 'connector' ? part.entry : undefined
  return part.entity.kind === 'connector' ? part.entity.definition : undefined
}

function shapeOf(
  { name, dimensions, staticRi }: Outline,
  parts: ReadonlyMap<string, Shape>,
): Shape | undefined {
  const bare = dimensions.map(({ composite, bindings }) => ({ transformations: [], composite, bindings }))
  const definition: ConnectorDefinition = {
    name,
    dimensions: bare,
    conditionName: '',
    conditionArgs: [],
    staticRi: [],
  }
  const leavesOf = (part: string) => parts.get(part)!.leaves
  const depth = connectorDepth(definition, (part) => parts.get(part)!.depth)
  // Checked before listing the leaves: nesting multiplies them.
  if (countLeaves(definition, leavesOf) > MAX_LEAVES || depth > MAX_DEPTH) return undefined
  const instances = staticRi.map(({ position, startPoint, transformationShift }) => ({
    position,
    startPoint: Number(startPoint) || 0,
    transformationShift: Number(transformationShift) || 0,
  }))
  return {
    name,
    dimensions: bare,
    staticRi: instances,
    leaves: connectorLeaves(definition, leavesOf),
    depth,
    parts,
  }
}

function sameParts(before: ReadonlyMap<string, Shape>, now: ReadonlyMap<string, Shape>): boolean {
  return before.size === now.size && [...now].every(([name, shape]) => before.get(name) === shape)
}
