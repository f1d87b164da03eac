import { z } from 'zod'
import type { Slice } from '#lib/core/entities/slice/slice.ts'
import { newNameProblem } from '#lib/protocol/names.ts'
import { int32Input, uint32Input } from '../../http/inputs.ts'
import { createConnectorRequest, executeRequest } from '../chain/request-schemas.ts'

/*
 * Runs of unsaved documents, as the studio requests and shows them, whether its own engine or a server answers.
 * Connectors have the form of the chain API's create request, so what is previewed is what will be created.
 */

const MAX_CONNECTORS = 500
const MAX_BODIES = 200
/** The compiler's own limit is smaller and comes back as a diagnostic; this one only bounds the request. */
const MAX_SOURCE_CHARACTERS = 64 * 1024
const MAX_ARGS = 256
const MAX_TRY_STEPS = 256
const MAX_PATH = 64 * 1024

const codeKind = z.enum(['transformation', 'condition'])
const source = z.string().max(MAX_SOURCE_CHARACTERS, `expected at most ${MAX_SOURCE_CHARACTERS} characters`)
/** A name that creation would accept. */
const newName = createConnectorRequest.in.shape.name.superRefine((name, ctx) => {
  const problem = newNameProblem(name)
  if (problem !== undefined) ctx.addIssue({ code: 'custom', message: problem })
})
const {
  connector_name: connectorName,
  particles_count: particlesCount,
  dynamic_ri: dynamicRi,
} = executeRequest.shape

export const slice = {
  connectors: z.array(createConnectorRequest).max(MAX_CONNECTORS).default([]),
  bodies: z
    .array(z.strictObject({ kind: codeKind, name: newName, sol_src: source }))
    .max(MAX_BODIES)
    .default([]),
}

/** A document of many entries; a single body may have 32 KiB. */
export const MAX_DOCUMENT_BYTES = 2 * 1024 * 1024

export function readSlice(body: {
  readonly connectors: Slice['connectors']
  readonly bodies: readonly {
    readonly kind: 'transformation' | 'condition'
    readonly name: string
    readonly sol_src: string
  }[]
}): Slice {
  return {
    connectors: body.connectors,
    bodies: body.bodies.map(({ kind, name, sol_src: source }) => ({ kind, name, source })),
  }
}

// --- Requests -------------------------------------------------------------------------------------------------

export const previewRequest = z.strictObject({
  ...slice,
  connector_name: connectorName,
  particles_count: particlesCount,
  dynamic_ri: dynamicRi,
})

export const explainRequest = z.strictObject({
  ...slice,
  connector_name: connectorName.describe('The connector whose value it is.'),
  dynamic_ri: dynamicRi,
  path: z.string().max(MAX_PATH).describe('Path of the value, as a simulation names it.'),
  step: uint32Input.describe('Number of the step, from 0.'),
})

export const compileRequest = z.strictObject({ kind: codeKind, sol_src: source })

export const tryRequest = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('transformation'),
    sol_src: source,
    x: uint32Input,
    args: z.array(uint32Input).max(MAX_ARGS).default([]),
    steps: z.int().min(1).max(MAX_TRY_STEPS).default(1),
  }),
  z.strictObject({
    kind: z.literal('condition'),
    sol_src: source,
    args: z.array(int32Input).max(MAX_ARGS).default([]),
  }),
])

// --- Answers --------------------------------------------------------------------------------------------------

const uint32 = z.int().min(0).max(4_294_967_295)
const count = z.int().min(0)

const diagnostic = z.strictObject({
  /** From 1; null when it is about the body as a whole. */
  line: count.nullable(),
  column: count.nullable(),
  message: z.string(),
})

/** Runtime code as it would be deployed. */
export const runtimeCode = z.string().regex(/^0x([0-9a-f]{2})*$/)

const rejection = z.strictObject({ name: z.string(), message: z.string() })

const dimensionPlace = {
  path: z.string(),
  position: count,
  connector: z.string(),
  dimension: count,
}

/** Where a run stops. */
const place = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('start') }),
  z.strictObject({
    kind: z.literal('condition'),
    path: z.string(),
    connector: z.string(),
    condition: z.string(),
  }),
  z.strictObject({ kind: z.literal('running-instance'), ...dimensionPlace }),
  z.strictObject({
    kind: z.literal('step'),
    ...dimensionPlace,
    call: count,
    transformation: z.string(),
    args: z.array(uint32),
    step: count,
    x: uint32,
  }),
])

const problems = z.array(
  z.strictObject({
    kind: z.enum(['connector', 'transformation', 'condition']),
    name: z.string(),
    message: z.string(),
  }),
)

const invalid = z.strictObject({ outcome: z.literal('invalid'), problems })
const rejected = z.strictObject({ outcome: z.literal('rejected'), rejection, place: place.nullable() })

export const previewAnswer = z.strictObject({
  result: z.discriminatedUnion('outcome', [
    z.strictObject({
      outcome: z.literal('particles'),
      particles: z.array(z.strictObject({ path: z.string(), data: z.array(uint32) })),
    }),
    rejected,
    invalid,
  ]),
  bodies: z.array(
    z.strictObject({
      kind: codeKind,
      name: z.string(),
      /** Null while it does not compile. */
      args_count: count.nullable(),
      /** Null if it does not compile. The client may run its own source locally. */
      runtime: runtimeCode.nullable(),
      diagnostics: z.array(diagnostic),
    }),
  ),
  timings: z.strictObject({ compile_ms: z.number(), build_ms: z.number(), run_ms: z.number() }),
})

export const compileAnswer = z.strictObject({
  args_count: count.nullable(),
  diagnostics: z.array(diagnostic),
})

export const tryAnswer = z.discriminatedUnion('outcome', [
  z.strictObject({
    outcome: z.literal('ran'),
    args_count: count,
    /** A condition answers 0 or 1. */
    values: z.array(uint32),
    rejection: rejection.nullable(),
  }),
  z.strictObject({ outcome: z.literal('not_compiled'), diagnostics: z.array(diagnostic) }),
])

const runningInstanceSource = z.enum(['caller', 'connector', 'executed', 'entrance', 'default'])

export const explainAnswer = z.discriminatedUnion('outcome', [
  z.strictObject({
    outcome: z.literal('explained'),
    start: z.strictObject({ index: uint32, source: runningInstanceSource }),
    index: uint32,
    value: uint32,
    dimensions: z.array(
      z.strictObject({
        ...dimensionPlace,
        leads_to: z.string(),
        running_instance: z.strictObject({
          start_point: uint32,
          transformation_shift: uint32,
          source: runningInstanceSource,
        }),
        index: uint32,
        steps: z.array(
          z.strictObject({
            number: count,
            call: count,
            transformation: z.string(),
            args: z.array(uint32),
            before: uint32,
            after: uint32,
          }),
        ),
        value: uint32,
      }),
    ),
  }),
  rejected,
  invalid,
  z.strictObject({ outcome: z.literal('no_such_path') }),
])

export type PreviewRequest = z.input<typeof previewRequest>
export type PreviewAnswer = z.output<typeof previewAnswer>
export type CompileRequest = z.input<typeof compileRequest>
export type CompileAnswer = z.output<typeof compileAnswer>
export type TryRequest = z.input<typeof tryRequest>
export type TryAnswer = z.output<typeof tryAnswer>
export type ExplainRequest = z.input<typeof explainRequest>
export type ExplainAnswer = z.output<typeof explainAnswer>
