import type { NodeRef } from '../document/node-ref.ts'
import type { ConnectorEntry, StudioDocument } from '../document/types.ts'
import type { PreviewAnswer } from './client.ts'

type Rejected = Extract<PreviewAnswer['result'], { outcome: 'rejected' }>

/** A place as the server names it: where a run stops. */
export type Place = NonNullable<Rejected['place']>

/**
 * The node of the document to mark for a place in an expanded connector. Inside something published there is no node
 * of ours: then it is the nearest dimension above that leads there.
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
