import type { PositionedRunningInstance } from '../../domain/definition.ts'
import type { ParticleStream, WorldStatePayload } from '../../world-sdk/protocol.ts'

/** A run that a World is to draw. */
export interface DrawnRun {
  readonly connector: string
  readonly count: number
  readonly streams: readonly ParticleStream[]
  readonly dynamicRi: readonly PositionedRunningInstance[]
  /** Of a run on chain; absent for a simulation. */
  readonly provenance?: WorldStatePayload['executionProvenance'] | undefined
}

/** What a World is told of a run: the fields that Worlds of every age look at. */
export function runPayload(
  { connector, count, streams, dynamicRi, provenance }: DrawnRun,
  surface: 'world-page' | 'studio-plugin',
): WorldStatePayload {
  return {
    surface,
    connectorName: connector,
    connectorNames: [connector],
    particlesCount: count,
    executionMode: provenance ? 'execute' : 'simulate',
    ...(provenance && { executionProvenance: provenance }),
    executeOutput: streams,
    dynamicRiInput: Object.fromEntries(
      dynamicRi.map(({ position, startPoint, transformationShift }) => [
        position,
        { start_point: startPoint, transformation_shift: transformationShift },
      ]),
    ),
  }
}
