import type { LibraryConnector } from '#lib/studio/document/parts.ts'
import type {
  CodeEntry,
  ConnectorEntry,
  DraftDimension,
  Entry,
  StudioDocument,
} from '#lib/studio/document/types.ts'

/* Entries and published entities in few words, for tests of the studio. */

export function connectorEntry(
  id: string,
  name: string,
  dimensions: readonly DraftDimension[] = [],
  more: Partial<ConnectorEntry> = {},
): ConnectorEntry {
  return { kind: 'connector', id, name, dimensions, condition: null, staticRi: [], ...more }
}

/** A dimension, by default a scalar without transformations. */
export function dimension(id: string, more: Partial<DraftDimension> = {}): DraftDimension {
  return { id, calls: [], composite: '', bindings: [], ...more }
}

export function codeEntry(
  id: string,
  name: string,
  source: string,
  kind: CodeEntry['kind'] = 'transformation',
): CodeEntry {
  return { kind, id, name, source }
}

export function documentOf(...entries: readonly Entry[]): StudioDocument {
  return { entries, places: [] }
}

/** A published connector of one dimension. */
export function publishedConnector(name: string, composite: string): LibraryConnector {
  return {
    kind: 'connector',
    name,
    owner: '0x01',
    address: '0x02',
    formatHash: '0x03',
    contentHash: '0x04',
    definition: {
      name,
      dimensions: [{ transformations: [], composite, bindings: [] }],
      conditionName: '',
      conditionArgs: [],
      staticRi: [],
    },
  }
}
