import type { NumberTarget } from '#lib/studio/document/knob.ts'
import { startLinesOf } from '#lib/studio/document/positions-of.ts'
import type { Shapes } from '#lib/studio/document/shapes.ts'
import type { ConnectorEntry } from '#lib/studio/document/types.ts'
import { goodRunOf } from '#lib/studio/runs/run.ts'
import { threadColor } from '#lib/ui/components/thread-colors.ts'
import { useValue } from '#lib/ui/components/value.ts'
import { useRun, useSession } from './session.tsx'

/** Start positions that are looked through for the one of a knob. */
const MOST_POSITIONS = 200

/**
 * Colours of numbers: each that of the first path of the newest run that it moves, as the pictures draw it; undefined for
 * what moves all of them.
 *
 * @param of `tabKey` of the connector that runs.
 */
export function useKnobColor(
  of: string,
): (entry: ConnectorEntry, target: NumberTarget) => string | undefined {
  const shapes = useSession((state) => state.shapes)
  const { lastGood } = useValue(useRun(of).state)
  return (entry, target) => {
    const moved = pathOf(shapes, entry, target)
    const run = lastGood && goodRunOf(lastGood)
    const index = moved === undefined ? -1 : (run?.streams ?? []).findIndex(({ path }) => isOn(path, moved))
    return index < 0 ? undefined : threadColor(index)
  }
}

/** The dimension that a number moves, as a path from its connector on. */
function pathOf(shapes: Shapes, entry: ConnectorEntry, target: NumberTarget): string | undefined {
  if (target.kind === 'condition') return undefined
  if (target.kind === 'call') {
    const at = entry.dimensions.findIndex(({ calls }) => calls.some(({ id }) => id === target.callId))
    return at < 0 ? undefined : `/${entry.name}:${at}`
  }
  const shape = shapes.ofEntry(entry)
  if (typeof shape === 'string' || target.position === 0) return undefined
  return startLinesOf(shape, MOST_POSITIONS).lines.find(({ position }) => position === target.position)?.path
}

function isOn(path: string, moved: string): boolean {
  return `${path}/`.includes(`${moved}/`)
}
