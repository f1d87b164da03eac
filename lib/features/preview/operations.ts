import {
  compile,
  type Diagnostic,
  type InspectedBody,
  type TriedBody,
  tryBody,
} from '#lib/core/entities/slice/unsaved-body.ts'
import { DOCUMENT, ofStored } from '#lib/server/mcp/agent-operation.ts'
import {
  type CompileAnswer,
  compileAnswer,
  compileRequest,
  type ExplainAnswer,
  explainAnswer,
  explainRequest,
  MAX_DOCUMENT_BYTES,
  type PreviewAnswer,
  previewAnswer,
  previewRequest,
  readSlice,
  type TryAnswer,
  tryAnswer,
  tryRequest,
} from '#lib/server/operations/studio/preview-schemas.ts'
import { studioOperation } from '#lib/server/operations/studio/studio-operation.ts'
import { type Explained, explain, type Preview, preview } from './preview.ts'

const failures = {
  400: 'Bad request, or the document is too large to run',
  503: 'The server is busy, or something published cannot be rebuilt yet',
}

export const postPreview = studioOperation({
  auth: 'none',
  id: 'POST_preview',
  limit: 'run',
  path: '/preview',
  summary: 'Run a connector of an unsaved document',
  description:
    'Compiles the bodies, builds the connectors and runs one of them. Names that are not in the request are looked ' +
    'up on the network. A rejection and a body that does not compile are successful responses with a position. ' +
    'Nothing is stored.',
  request: { body: previewRequest, maxBodyBytes: MAX_DOCUMENT_BYTES },
  responses: { 200: { description: 'The result', schema: previewAnswer } },
  failures,
  handler: async (ctx, { body }) => {
    const result = await preview(ctx, {
      slice: readSlice(body),
      connector: body.connector_name,
      particlesCount: body.particles_count,
      dynamicRi: body.dynamic_ri,
    })
    return { ...previewWire(result) }
  },
})

export const postExplain = studioOperation({
  auth: 'none',
  id: 'POST_explain',
  limit: 'run',
  path: '/explain',
  summary: 'Explain the value of a particle',
  description:
    'The chain of values through dimensions and transformations, computed with the bytecode of the run.',
  request: { body: explainRequest, maxBodyBytes: MAX_DOCUMENT_BYTES },
  responses: { 200: { description: 'The chain, or the reason why there is none', schema: explainAnswer } },
  failures,
  handler: async (ctx, { body }) => {
    const { connector_name: connector, dynamic_ri: dynamicRi, path, step } = body
    const explained = await explain(ctx, { slice: readSlice(body), connector, dynamicRi, path, step })
    return { body: explainWire(explained) }
  },
})

/** The same for what is published or stored. */
export const explainValue = ofStored(postExplain, explainRequest.omit(DOCUMENT), {
  name: 'explain_value',
  effect: 'reads',
})

export const postCompile = studioOperation({
  auth: 'none',
  id: 'POST_compile',
  limit: 'run',
  path: '/compile',
  summary: 'Compile one body',
  description: 'Returns the diagnostics of the compiler and the number of arguments. Nothing is stored.',
  request: { body: compileRequest },
  responses: { 200: { description: 'Diagnostics, or the number of arguments', schema: compileAnswer } },
  failures,
  handler: async (ctx, { body: { kind, sol_src: source } }) => ({
    body: bodyWire(await compile(ctx, { kind, source })),
  }),
})

export const postTry = studioOperation({
  auth: 'none',
  id: 'POST_try',
  limit: 'run',
  path: '/try',
  summary: 'Run one body',
  description: 'A transformation on x, or on its own result several times; a condition on its arguments.',
  request: { body: tryRequest },
  responses: { 200: { description: 'The values, or the error', schema: tryAnswer } },
  failures,
  handler: async (ctx, { body }) => {
    const { kind, sol_src: source, args } = body
    const { x, steps } = body.kind === 'transformation' ? body : { x: 0, steps: 1 }
    return { body: tryWire(await tryBody(ctx, { kind, source, args, x, steps })) }
  },
})

type Rejected = Extract<Preview['result'], { outcome: 'rejected' }>

/** A preview as its JSON where there are particles, which come written, else as the object. */
function previewWire({ result, bodies, timings }: Preview) {
  const rest = {
    bodies: bodies.map(({ kind, name, result: body }) => ({
      kind,
      name,
      runtime: body.ok ? body.artifact.runtime : null,
      ...bodyWire(body),
    })),
    timings: { compile_ms: timings.compile, build_ms: timings.build, run_ms: timings.run },
  } satisfies Omit<PreviewAnswer, 'result'>
  if (result.outcome === 'particles') {
    const before = '{"result":{"outcome":"particles","particles":'
    return { json: around(before, result.json, `},${JSON.stringify(rest).slice(1)}`) }
  }
  const problems: PreviewAnswer['result'] =
    result.outcome === 'rejected'
      ? rejectedWire(result)
      : { outcome: 'invalid', problems: [...result.problems] }
  return { body: { result: problems, ...rest } }
}

function around(before: string, json: Uint8Array, after: string): Uint8Array<ArrayBuffer> {
  return Buffer.concat([Buffer.from(before), json, Buffer.from(after)])
}

function rejectedWire({ rejection: { name, message }, place }: Rejected) {
  return {
    outcome: 'rejected' as const,
    rejection: { name, message },
    place: place === undefined ? null : place.kind === 'step' ? { ...place, args: [...place.args] } : place,
  }
}

function bodyWire(body: InspectedBody): CompileAnswer {
  return body.ok
    ? { args_count: body.argsCount, diagnostics: [] }
    : { args_count: null, diagnostics: diagnosticsWire(body.diagnostics) }
}

function tryWire(tried: TriedBody): TryAnswer {
  if (tried.outcome === 'not_compiled') {
    return { outcome: 'not_compiled', diagnostics: diagnosticsWire(tried.diagnostics) }
  }
  const { argsCount, values, rejection } = tried
  return {
    outcome: 'ran',
    args_count: argsCount,
    values: [...values],
    rejection: rejection ? { name: rejection.name, message: rejection.message } : null,
  }
}

function explainWire(explained: Explained): ExplainAnswer {
  switch (explained.outcome) {
    case 'explained': {
      const { start, index, value, dimensions } = explained.explanation
      return {
        outcome: 'explained',
        start,
        index,
        value,
        dimensions: dimensions.map(({ leadsTo, runningInstance, steps, ...facts }) => ({
          ...facts,
          leads_to: leadsTo,
          running_instance: {
            start_point: runningInstance.startPoint,
            transformation_shift: runningInstance.transformationShift,
            source: runningInstance.source,
          },
          steps: steps.map((step) => ({ ...step, args: [...step.args] })),
        })),
      }
    }
    case 'rejected':
      return rejectedWire(explained)
    case 'invalid':
      return { outcome: 'invalid', problems: [...explained.problems] }
    case 'no_such_path':
      return { outcome: 'no_such_path' }
  }
}

function diagnosticsWire(diagnostics: readonly Diagnostic[]): CompileAnswer['diagnostics'] {
  return diagnostics.map(({ place, message }) => ({
    line: place?.line ?? null,
    column: place?.column ?? null,
    message,
  }))
}
