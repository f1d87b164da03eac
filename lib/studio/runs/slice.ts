import type { PreviewAnswer, PreviewRequest } from '#lib/server/operations/studio/preview-schemas.ts'
import { codeRequest, connectorRequest } from '../document/definition.ts'
import { memoizeByObject } from '../document/memoize.ts'
import { entriesBelow, type NodeRef } from '../document/node-ref.ts'
import type { CodeEntry, ConnectorEntry, StudioDocument } from '../document/types.ts'

/** The part of a document that a run of one of its connectors needs, in the form the server takes. */
export interface SliceRequest {
  readonly connector_name: string
  readonly connectors: NonNullable<ReturnType<typeof connectorRequest>>[]
  readonly bodies: {
    readonly kind: 'transformation' | 'condition'
    readonly name: string
    readonly sol_src: string
  }[]
}

/**
 * Collects a connector and every entry of the document below it. The server resolves other names. What an edit leaves as it
 * was is the same object as before.
 *
 * @returns undefined while a number is unfinished.
 */
export function sliceOf(document: StudioDocument, root: ConnectorEntry): SliceRequest | undefined {
  const connectors: SliceRequest['connectors'] = []
  const bodies: SliceRequest['bodies'] = []
  for (const entry of entriesBelow(document, root)) {
    if (entry.kind !== 'connector') {
      bodies.push(bodyOf(entry))
      continue
    }
    const request = wireOf(entry)
    if (request === undefined) return undefined
    connectors.push(request)
  }
  return { connector_name: root.name, connectors, bodies }
}

const bodyOf = memoizeByObject((entry: CodeEntry): SliceRequest['bodies'][number] => ({
  kind: entry.kind,
  ...codeRequest(entry),
}))

const wires = new WeakMap<
  ConnectorEntry['dimensions'],
  { readonly of: ConnectorEntry; readonly wire: ReturnType<typeof connectorRequest> }
>()

/** Request of a connector's run: its knobs, its sound and its length change nothing of it. */
function wireOf(entry: ConnectorEntry): ReturnType<typeof connectorRequest> {
  const { name, dimensions, condition, staticRi } = entry
  const known = wires.get(dimensions)
  if (known?.of.name === name && known.of.condition === condition && known.of.staticRi === staticRi) {
    return known.wire
  }
  const wire = connectorRequest(entry)
  wires.set(dimensions, { of: entry, wire })
  return wire
}

/** Whether two questions made of slices are the same: entry by entry the same objects, with the same starts. */
export function sameQuestion(one: PreviewRequest, other: PreviewRequest): boolean {
  return (
    one === other ||
    (one.connector_name === other.connector_name &&
      one.particles_count === other.particles_count &&
      sameItems(one.connectors, other.connectors) &&
      sameItems(one.bodies, other.bodies) &&
      JSON.stringify(one.dynamic_ri) === JSON.stringify(other.dynamic_ri))
  )
}

function sameItems(some: readonly unknown[] = [], others: readonly unknown[] = []): boolean {
  return some.length === others.length && some.every((each, index) => each === others[index])
}

type Rejected = Extract<PreviewAnswer['result'], { outcome: 'rejected' }>

/** Where a run stopped, as the server names it. */
export type Place = NonNullable<Rejected['place']>

/**
 * The node of the document for a place in an expanded connector; inside a published connector, the nearest dimension
 * above it.
 *
 * @param root The connector that was run.
 */
export function placeRef(document: StudioDocument, root: ConnectorEntry, place: Place): NodeRef {
  const entryOf = (name: string) =>
    document.entries.find(
      (entry): entry is ConnectorEntry => entry.kind === 'connector' && entry.name === name,
    )
  if (place.kind === 'start') return { kind: 'entry', entryId: root.id }
  const held = entryOf(place.connector)
  if (place.kind === 'condition') {
    return held ? { kind: 'condition', entryId: held.id } : nearest(place.path, entryOf, root)
  }
  const dimension = held?.dimensions[place.dimension]
  if (held === undefined || dimension === undefined) return nearest(place.path, entryOf, root)
  const at = { entryId: held.id, dimensionId: dimension.id }
  const call = place.kind === 'step' ? dimension.calls[place.call] : undefined
  return call ? { kind: 'call', ...at, callId: call.id } : { kind: 'dimension', ...at }
}

function nearest(
  path: string,
  entryOf: (name: string) => ConnectorEntry | undefined,
  root: ConnectorEntry,
): NodeRef {
  for (const segment of path.split('/').slice(1).toReversed()) {
    const [name = '', dimension = ''] = segment.split(':')
    const entry = entryOf(name)
    const match = entry?.dimensions[Number(dimension)]
    if (entry && match) return { kind: 'dimension', entryId: entry.id, dimensionId: match.id }
  }
  return { kind: 'entry', entryId: root.id }
}
