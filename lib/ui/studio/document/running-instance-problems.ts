import type { Position } from '../../../domain/positions.ts'
import { MAX_COUNT, tooMany } from './call-problems.ts'
import { readNumber, UINT32 } from './numbers.ts'
import { positionsOf } from './positions-of.ts'
import type { Problem } from './problem.ts'
import type { Shape } from './shapes.ts'
import type { ConnectorEntry } from './types.ts'

/**
 * Problems of the static running instances of a connector.
 *
 * @param shape Undefined while it is not known how the connector is put together.
 */
export function runningInstanceProblems(entry: ConnectorEntry, shape: Shape | undefined): Problem[] {
  const found: Problem[] = []
  if (entry.staticRi.length > MAX_COUNT) {
    found.push(
      tooMany({ kind: 'entry', entryId: entry.id }, entry.staticRi.length, 'static running instance'),
    )
  }
  const positions = shape === undefined ? undefined : positionsOf(shape)
  for (const { position, startPoint, transformationShift } of entry.staticRi) {
    const at = { kind: 'running-instance', entryId: entry.id, position } as const
    for (const [name, text] of [
      ['startPoint', startPoint],
      ['transformationShift', transformationShift],
    ] as const) {
      const read = readNumber(text, UINT32)
      if (!read.ok) {
        const problem = { severity: 'error', code: 'instance_invalid', sentence: read.sentence } as const
        found.push({ at, field: { name }, ...problem })
      }
    }
    if (positions === undefined || position === 0) continue
    const sentence = strayInstance(entry, position, positions)
    if (sentence !== undefined) found.push({ at, severity: 'warning', ...sentence })
  }
  return found
}

/**
 * An instance that will not do what it looks like: it stands nowhere, or it means another dimension once the connector
 * is a part of another one, because a nested connector reads its own instances by dimension and not by position.
 */
function strayInstance(
  { name, dimensions }: ConnectorEntry,
  position: number,
  positions: readonly Position[],
): Pick<Problem, 'code' | 'sentence'> | undefined {
  const met = positions[position - 1]
  if (met === undefined) {
    const sentence = `Nothing stands at position ${position}: the last one is ${positions.length}.`
    return { code: 'instance_unused', sentence }
  }
  if (met.path === `/${name}:${position - 1}`) return undefined
  const own = name === '' ? 'this connector' : name
  const nested =
    position <= dimensions.length
      ? `it is read for dimension ${position - 1} of ${own} instead.`
      : 'it is not read at all.'
  return {
    code: 'instance_shadowed',
    sentence: `Position ${position} is ${met.path} when ${own} runs by itself. As a part of another connector, ${nested}`,
  }
}
