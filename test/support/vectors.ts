import { readFileSync } from 'node:fs'
import type { PositionedRunningInstance } from '#lib/protocol/definition.ts'
import type { ConnectorSketch } from './definitions.ts'

/** One entity of a vector case, with the expected result of creating it. */
export interface VectorEntity<Request, Expected> {
  readonly request: Request
  readonly expected?: Expected
  readonly expected_error?: { readonly name: string; readonly about?: string; readonly message?: string }
  readonly contract_only?: boolean
}

export interface VectorRun {
  readonly connector_name: string
  readonly particles_count: number | string
  readonly dynamic_ri?: Readonly<Record<string, { start_point: number; transformation_shift: number }>>
}

export interface VectorCase {
  readonly id: string
  readonly title: string
  readonly transformations: readonly VectorEntity<{ name: string; sol_src: string }, { args_count: number }>[]
  readonly conditions: readonly VectorEntity<{ name: string; sol_src: string }, { args_count: number }>[]
  readonly connectors: readonly VectorEntity<
    ConnectorSketch,
    { format_hash: string; scalars: readonly string[]; leaves: readonly string[] }
  >[]
  readonly execute: readonly {
    readonly request: VectorRun
    readonly expected?: readonly { readonly path: string; readonly data: readonly number[] }[]
    /** In place of large results. */
    readonly expected_digest?: readonly { readonly path: string }[]
    readonly contract_only?: boolean
    readonly dynamic_ri_tuples?: readonly (readonly [number, number, number])[]
    readonly expected_error?: {
      readonly name: string
      readonly revert_data: `0x${string}`
      readonly position?: number
      readonly message?: string
    }
  }[]
}

/** The recorded behaviour of the original network's contracts; its `about` explains every field. */
export const vectorCases = (
  JSON.parse(readFileSync(new URL('../fixtures/vectors.json', import.meta.url), 'utf8')) as {
    cases: VectorCase[]
  }
).cases

/** The running instances of a recorded run, as the simulator takes them. */
export function dynamicRiOf(run: VectorRun): PositionedRunningInstance[] {
  return Object.entries(run.dynamic_ri ?? {})
    .map(([position, ri]) => ({
      position: Number(position),
      startPoint: ri.start_point,
      transformationShift: ri.transformation_shift,
    }))
    .sort((a, b) => a.position - b.position)
}
