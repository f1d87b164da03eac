import type { CodeArtifact, ConnectorArtifact } from '#lib/protocol/artifact.ts'
import { walkDimensions } from '#lib/protocol/positions.ts'
import type { CallList, Plan } from '../plan.ts'
import type { ConnectorParts } from '../run.ts'

/** The calls of one dimension of one connector among the numbers: a row a call, its arguments after its code. */
export interface CallRows {
  /** Name of the connector that holds the dimension. */
  readonly connector: string
  readonly dimension: number
  /** Where its first row begins. */
  readonly at: number
  /** Numbers a row: one for the code, then those of the longest argument list; what is left over is 0. */
  readonly width: number
  /** Number of rows: calls of the dimension. */
  readonly count: number
  /** The different transformations of its calls, as a row numbers them. */
  readonly codes: readonly CodeArtifact[]
}

/** A position of the expanded connector; its start point and its shift are at `2 * position` and after it. */
export interface VariedPosition {
  readonly position: number
  /** Whether a static running instance of a connector below the root decides it: the root cannot. */
  readonly isFixedBelow: boolean
  /** Whether its values index another connector. */
  readonly isIndex: boolean
  /** Number of its dimension's rows; undefined for a constant. */
  readonly rows: number | undefined
}

/**
 * The numbers of a connector in one array: the start of the indices and an unused number, then a start point and a
 * shift for each position, then the rows of the calls.
 */
export interface NumbersLayout {
  /** The connector's own numbers. */
  readonly own: Uint32Array
  /** By position, from 1. */
  readonly positions: readonly VariedPosition[]
  readonly rows: readonly CallRows[]
}

/**
 * @param plan Of the connector, with a list of nodes.
 */
export function layoutOf({ root, artifacts }: ConnectorParts, plan: Plan): NumbersLayout {
  const byHash = new Map(artifacts.map((artifact) => [artifact.contentHash, artifact] as const))
  const artifactOf = (hash: typeof root) => byHash.get(hash) as ConnectorArtifact
  const rootArtifact = artifactOf(root)
  const visits = walkDimensions(rootArtifact, artifactOf)
  const numbers: number[] = [plan.start ?? 0, 0]
  const positions: VariedPosition[] = []
  const rowsByList = new Map<
    CallList,
    Pick<CallRows, 'connector' | 'dimension'> & { readonly index: number }
  >()
  for (const { position, path, calls, fixed, entrance } of plan.nodes) {
    const { connector, dimension } = visits.next().value!
    const { startPoint, transformationShift } = fixed ?? entrance ?? { startPoint: 0, transformationShift: 0 }
    numbers.push(startPoint, transformationShift)
    const isFixedBelow =
      connector !== rootArtifact &&
      connector.definition.staticRi.some((one) => one.position === dimension + 1)
    if (calls && !rowsByList.has(calls)) {
      rowsByList.set(calls, { connector: connector.name, dimension, index: rowsByList.size })
    }
    const row = calls && rowsByList.get(calls)?.index
    positions.push({ position, isFixedBelow, isIndex: path === undefined, rows: row })
  }
  const rows: CallRows[] = []
  for (const [{ calls }, { connector, dimension }] of rowsByList) {
    const width = 1 + Math.max(...calls.map(({ args }) => args.length))
    const codes = [...new Map(calls.map(({ code }) => [code.contentHash, code])).values()]
    rows.push({ connector, dimension, at: numbers.length, width, count: calls.length, codes })
    for (const { code, args } of calls) {
      const row = [codes.findIndex(({ contentHash }) => contentHash === code.contentHash), ...args]
      while (row.length < width) row.push(0)
      for (const number of row) numbers.push(number)
    }
  }
  return { own: Uint32Array.from(numbers), positions, rows }
}
