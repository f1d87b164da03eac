import type { ConnectorArtifact } from './artifact.ts'
import type { RunningInstance } from './definition.ts'
import type { Hash } from './entity.ts'
import { walkDimensions } from './positions.ts'
import { resolveIndexStart, resolveRunningInstance } from './running-instance.ts'

/** A place where a run can be told to start: a position with what is there. */
export interface StartLine {
  /** 0 for the indices of the run. */
  readonly position: number
  /** `/<connector>:<dimension>` from the root down; empty for the indices. */
  readonly path: string
  /** Connectors above the one that holds the dimension. */
  readonly depth: number
  /** `<connector>:<dimension>`; empty for the indices. */
  readonly name: string
  /** The connector that the values of the dimension index; empty for a final scalar. */
  readonly leadsTo: string
  /** What it starts with when the run says nothing. */
  readonly otherwise: RunningInstance
  /** It is part of the definition: a run that sets it is rejected. */
  readonly locked: boolean
}

/** Characters of the paths of all lines together; a path of 256 names can have 34,000 by itself. */
const MOST_PATHS = 131_072

/**
 * The first positions of a connector, in order, the indices first. A small definition can have very many.
 *
 * @param artifactOf The connector artifacts below the root, by content hash.
 * @param most Dimensions to list.
 */
export function startLines(
  root: ConnectorArtifact,
  artifactOf: (contentHash: Hash) => ConnectorArtifact,
  most: number,
): { readonly lines: readonly StartLine[]; readonly more: boolean } {
  const indices = resolveIndexStart(root, [])
  let length = 0
  const lines: StartLine[] = [
    {
      position: 0,
      path: '',
      depth: 0,
      name: '',
      leadsTo: '',
      otherwise: { startPoint: indices.start, transformationShift: 0 },
      locked: indices.source !== 'default',
    },
  ]
  for (const visit of walkDimensions(root, artifactOf)) {
    length += visit.path.length
    if (visit.position > most || length > MOST_PATHS) return { lines, more: true }
    const { position, path, depth, connector, dimension, next } = visit
    const { startPoint, transformationShift, source } = resolveRunningInstance(root, visit, [])
    lines.push({
      position,
      path,
      depth,
      name: `${connector.name}:${dimension}`,
      leadsTo: next?.name ?? '',
      otherwise: { startPoint, transformationShift },
      locked: source === 'connector' || source === 'executed',
    })
  }
  return { lines, more: false }
}
