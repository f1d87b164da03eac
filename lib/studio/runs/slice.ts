import { codeRequest, connectorRequest } from '../document/definition.ts'
import { entriesBelow, type NodeRef } from '../document/node-ref.ts'
import type { ConnectorEntry, StudioDocument } from '../document/types.ts'
import type { PreviewAnswer } from './client.ts'

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
 * Collects a connector and every entry of the document below it. The server resolves other names.
 *
 * @returns undefined while a number is unfinished.
 */
export function sliceOf(document: StudioDocument, root: ConnectorEntry): SliceRequest | undefined {
  const connectors: SliceRequest['connectors'] = []
  const bodies: SliceRequest['bodies'] = []
  for (const entry of entriesBelow(document, root)) {
    if (entry.kind !== 'connector') {
      bodies.push({ kind: entry.kind, ...codeRequest(entry) })
      continue
    }
    const request = connectorRequest(entry)
    if (request === undefined) return undefined
    connectors.push(request)
  }
  return { connector_name: root.name, connectors, bodies }
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
    const found = entry?.dimensions[Number(dimension)]
    if (entry && found) return { kind: 'dimension', entryId: entry.id, dimensionId: found.id }
  }
  return { kind: 'entry', entryId: root.id }
}
