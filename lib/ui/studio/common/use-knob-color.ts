import { useMemo } from 'react'
import type { StartLine } from '#lib/protocol/running-instance.ts'
import type { NumberTarget } from '#lib/studio/document/knob.ts'
import { startLinesOf } from '#lib/studio/document/positions-of.ts'
import { same } from '#lib/studio/document/same.ts'
import type { ConnectorEntry } from '#lib/studio/document/types.ts'
import { goodRunOf } from '#lib/studio/runs/run.ts'
import type { PreviewState } from '#lib/studio/runs/runs.ts'
import { threadColor } from '#lib/ui/components/thread-colors.ts'
import { useSelected } from '#lib/ui/components/value.ts'
import { useRun, useSession } from './session.tsx'

/** Start positions that are looked through for the one of a knob. */
const MOST_POSITIONS = 200
const NO_PATHS: readonly string[] = []

/** Colour of a number; undefined where it moves no path, or all of them. */
export type ColorOf = (entry: ConnectorEntry, target: NumberTarget) => string | undefined

/** The paths of the newest good run of a connector. @param of `tabKey` of its tab. */
export function usePaths(of: string): readonly string[] {
  return useSelected(useRun(of).state, pathsOf, same)
}

function pathsOf({ lastGood }: PreviewState): readonly string[] {
  return (lastGood && goodRunOf(lastGood))?.streams.map(({ path }) => path) ?? NO_PATHS
}

/**
 * Colours of numbers: each that of the first path that it moves, as the pictures draw it. The places of starts are looked
 * up once an edit.
 *
 * @param paths Of the connector that runs.
 */
export function useKnobColor(paths: readonly string[]): ColorOf {
  const shapes = useSession((state) => state.shapes)
  return useMemo(() => {
    const lines = new Map<ConnectorEntry, readonly StartLine[]>()
    const linesOf = (entry: ConnectorEntry) => {
      const known = lines.get(entry)
      if (known !== undefined) return known
      const shape = shapes.ofEntry(entry)
      const listed = typeof shape === 'string' ? [] : startLinesOf(shape, MOST_POSITIONS).lines
      lines.set(entry, listed)
      return listed
    }
    return (entry, target) => {
      const moved = pathOf(entry, target, linesOf)
      const index = moved === undefined ? -1 : paths.findIndex((path) => isOn(path, moved))
      return index < 0 ? undefined : threadColor(index)
    }
  }, [shapes, paths])
}

/** The dimension that a number moves, as a path from its connector on. */
function pathOf(
  entry: ConnectorEntry,
  target: NumberTarget,
  linesOf: (entry: ConnectorEntry) => readonly StartLine[],
): string | undefined {
  if (target.kind === 'condition') return undefined
  if (target.kind === 'call') {
    const at = entry.dimensions.findIndex(({ calls }) => calls.some(({ id }) => id === target.callId))
    return at < 0 ? undefined : `/${entry.name}:${at}`
  }
  if (target.position === 0) return undefined
  return linesOf(entry).find(({ position }) => position === target.position)?.path
}

function isOn(path: string, moved: string): boolean {
  return `${path}/`.includes(`${moved}/`)
}
