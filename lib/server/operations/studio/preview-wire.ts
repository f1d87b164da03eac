import type { Explained, Preview } from '../../../entities/preview/preview.ts'
import type { Diagnostic, InspectedBody, TriedBody } from '../../../entities/preview/unsaved-body.ts'
import type { CompileAnswer, ExplainAnswer, PreviewAnswer, TryAnswer } from './preview-schemas.ts'

type Rejected = Extract<Preview['result'], { outcome: 'rejected' }>

/** A preview as its JSON where there are particles, which come written, else as the object. */
export function previewWire({ result, bodies, timings }: Preview) {
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

export function bodyWire(body: InspectedBody): CompileAnswer {
  return body.ok
    ? { args_count: body.argsCount, diagnostics: [] }
    : { args_count: null, diagnostics: diagnosticsWire(body.diagnostics) }
}

export function tryWire(tried: TriedBody): TryAnswer {
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

export function explainWire(explained: Explained): ExplainAnswer {
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
