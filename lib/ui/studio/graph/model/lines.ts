import { type NodeRef, refKey } from '#lib/studio/document/node-ref.ts'
import { argsCountOfPart, type Part } from '#lib/studio/document/parts.ts'
import { positionsOf } from '#lib/studio/document/positions-of.ts'
import type { Problem } from '#lib/studio/document/problem.ts'
import type { Shape } from '#lib/studio/document/shapes.ts'
import { type ShapeOfName, slotsOf } from '#lib/studio/document/slots.ts'
import type {
  ConnectorEntry,
  DraftCall,
  DraftCondition,
  DraftRunningInstance,
} from '#lib/studio/document/types.ts'

interface LineBase {
  readonly at: NodeRef
  /** `refKey(at)`; also the handle that links start from. */
  readonly key: string
  readonly problems: readonly Problem[]
}

interface WithArguments {
  /** Number of arguments that it takes; undefined while that is not known. */
  readonly takes: number | undefined
}

/** A line of a connector's node. */
export type Line = LineBase &
  (
    | {
        readonly kind: 'dimension'
        readonly index: number
        /** A scalar's handle is here, a composite's on its own line. */
        readonly scalar: boolean
      }
    | (WithArguments & { readonly kind: 'call'; readonly index: number; readonly call: DraftCall })
    | { readonly kind: 'composite'; readonly index: number; readonly name: string }
    | {
        readonly kind: 'slot'
        readonly index: number
        readonly slot: number
        /** Its scalar, as `pitch:0`; empty while unknown. */
        readonly label: string
        /** Empty for an open slot. */
        readonly name: string
      }
    /** Open slots that are not listed. */
    | { readonly kind: 'slots'; readonly index: number; readonly amount: number }
    | (WithArguments & { readonly kind: 'condition'; readonly condition: DraftCondition })
    | {
        readonly kind: 'start'
        readonly instance: DraftRunningInstance
        /** The dimension at the position, as `pitch:0`; empty while unknown. */
        readonly label: string
      }
    | { readonly kind: 'more'; readonly amount: number }
  )

/** Sources of lines besides their connector. */
export interface LineSource {
  readonly part: (kind: 'transformation' | 'condition', name: string) => Part
  readonly shapeOfName: ShapeOfName
  readonly shape: Shape | undefined
  readonly problemsAt: (key: string) => readonly Problem[]
  /** Keys of composites whose open slots are all listed. */
  readonly allSlots: ReadonlySet<string>
}

/** Open slots listed for each composite unless expanded. */
function fewOf({ dimensions }: ConnectorEntry): number {
  return dimensions.filter(({ composite }) => composite !== '').length > FEW_COMPOSITES ? 0 : FEW_SLOTS
}

/** Dimensions listed in a node; a connector may have thousands, and the outline has them all. */
const MAX_DIMENSIONS = 40

/** Open slots listed by default, and the number of composites up to which they are. */
const FEW_SLOTS = 3
const FEW_COMPOSITES = 6
/** Open slots listed when expanded. */
const MAX_SLOTS = 64
const MAX_STARTS = 12

/** The lines of a connector from top to bottom: its dimensions with all that is in them, its condition, its starts. */
export function linesOf(entry: ConnectorEntry, source: LineSource): Line[] {
  const lines: Line[] = []
  const few = fewOf(entry)
  const add = <T extends { at: NodeRef }>(line: T): void => {
    const key = refKey(line.at)
    lines.push({ ...line, key, problems: source.problemsAt(key) } as unknown as Line)
  }
  entry.dimensions.slice(0, MAX_DIMENSIONS).forEach((dimension, index) => {
    const where = { entryId: entry.id, dimensionId: dimension.id }
    add({
      kind: 'dimension',
      at: { kind: 'dimension', ...where },
      index,
      scalar: dimension.composite === '' && dimension.bindings.length === 0,
    })
    for (const call of dimension.calls) {
      const takes = takesOf(source, 'transformation', call.name)
      add({ kind: 'call', at: { kind: 'call', ...where, callId: call.id }, index, call, takes })
    }
    if (dimension.composite === '' && dimension.bindings.length === 0) return
    const at = { kind: 'composite', ...where } as const
    add({ kind: 'composite', at, index, name: dimension.composite })
    const { slots, left } = slotsOf(dimension, source.shapeOfName, (open) =>
      source.allSlots.has(refKey(at)) ? MAX_SLOTS : open <= few ? open : 0,
    )
    for (const { slot, label, binding } of slots) {
      const name = binding?.name ?? ''
      add({ kind: 'slot', at: { kind: 'binding', ...where, slot }, index, slot, label, name })
    }
    // Its key must not be that of the line above it.
    if (left > 0) {
      lines.push({ kind: 'slots', at, key: `slots ${refKey(at)}`, problems: [], index, amount: left })
    }
  })
  const more = entry.dimensions.length - MAX_DIMENSIONS
  const self = { kind: 'entry', entryId: entry.id } as const
  if (more > 0) {
    lines.push({ kind: 'more', at: self, key: `more ${refKey(self)}`, problems: [], amount: more })
  }
  if (entry.condition !== null) {
    const takes = takesOf(source, 'condition', entry.condition.name)
    const at = { kind: 'condition', entryId: entry.id } as const
    add({ kind: 'condition', at, condition: entry.condition, takes })
  }
  const positions =
    entry.staticRi.length === 0 || source.shape === undefined ? undefined : positionsOf(source.shape)
  for (const instance of entry.staticRi.slice(0, MAX_STARTS)) {
    const at = { kind: 'running-instance', entryId: entry.id, position: instance.position } as const
    const met = positions?.[instance.position - 1]
    const label = instance.position === 0 ? 'the whole piece' : met ? `${met.connector}:${met.dimension}` : ''
    add({ kind: 'start', at, instance, label })
  }
  return lines
}

function takesOf(
  { part }: LineSource,
  kind: 'transformation' | 'condition',
  name: string,
): number | undefined {
  return name === '' ? undefined : argsCountOfPart(part(kind, name))
}

/** The id of a line's handle: React Flow writes ids into selectors as they are, and keys contain quotes. */
export function handleOf(lineKey: string): string {
  return encodeURIComponent(lineKey)
}

/** The key of the line that a handle belongs to. */
export function lineOf(handle: string): string {
  return decodeURIComponent(handle)
}
