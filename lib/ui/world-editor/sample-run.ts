import type { WorldNeeds } from '#lib/protocol/world-compatibility.ts'
import { usualCount, type WorldLimits } from '#lib/protocol/world-manifest.ts'
import type { RunPayload } from '#lib/studio/runs/run.ts'
import { formatOf, runPayload } from '#lib/ui/world/run-payload.ts'

const TOP = 15
const PERIOD = 32

/**
 * Sample numbers for a World without any connector: one stream for each connector in its manifest, oscillating within
 * its declared range.
 */
export function sampleRun(needs: WorldNeeds, limits: WorldLimits | undefined): RunPayload {
  const count = Math.min(usualCount(limits), 4096)
  const [set] = needs.acceptedConnectorSets
  const names = set ? [...set.connectors, ...set.optionalConnectors] : ['sample']
  const streams = names.slice(0, 16).map((name, row) => {
    const path = `/${name}:0`
    const range = limits?.connectorValues?.[path]
    const min = Math.max(0, Math.ceil(range?.min ?? 0))
    const max = Math.max(min, Math.min(0xffff_ffff, Math.floor(range?.max ?? TOP)))
    return { path, data: Array.from({ length: count }, (_, step) => wave(step + row, min, max)) }
  })
  return runPayload({
    connector: names[0] ?? 'sample',
    count,
    streams,
    dynamicRi: [],
    formatHash: formatOf(streams),
    address: undefined,
  })
}

/** A triangle over so many steps, from one end of the range to the other and back. */
function wave(step: number, min: number, max: number): number {
  const phase = (step % PERIOD) / (PERIOD / 2)
  return min + Math.round((max - min) * (phase <= 1 ? phase : 2 - phase))
}
