import { codeRequest, connectorRequest } from '../document/create-request.ts'
import { referencesOf } from '../document/references-of.ts'
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
 * Collects a connector and every entry of the document below it. Other names are the server's to look up.
 *
 * @returns undefined while a number of one of them is unfinished: the document's problems say where.
 */
export function sliceOf(document: StudioDocument, root: ConnectorEntry): SliceRequest | undefined {
  const entries = new Map(document.entries.map((entry) => [`${entry.kind}/${entry.name}`, entry]))
  const connectors: SliceRequest['connectors'] = []
  const bodies: SliceRequest['bodies'] = []
  const seen = new Set<string>()
  // Grows while it is walked.
  const queue: (ConnectorEntry | CodeEntry)[] = [root]
  const want = (kind: string, name: string) => {
    const entry = entries.get(`${kind}/${name}`)
    if (entry && !seen.has(entry.id)) queue.push(entry)
  }
  for (const entry of queue) {
    if (seen.has(entry.id)) continue
    seen.add(entry.id)
    if (entry.kind !== 'connector') {
      bodies.push({ kind: entry.kind, ...codeRequest(entry) })
      continue
    }
    const request = connectorRequest(entry)
    if (request === undefined) return undefined
    connectors.push(request)
    for (const { kind, name } of referencesOf(entry)) want(kind, name)
  }
  return { connector_name: root.name, connectors, bodies }
}
