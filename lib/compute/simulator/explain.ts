import type { RunOutcome } from '#lib/engine/run.ts'
import { OVERFLOW, staticOverride } from '#lib/engine/walk/rejections.ts'
import type { Artifact, ConnectorArtifact } from '#lib/protocol/artifact.ts'
import type { BlockFields } from '#lib/protocol/code-traits.ts'
import { type DimensionVisit, walkDimensions } from '#lib/protocol/positions.ts'
import { decodeRejection, type Rejection } from '#lib/protocol/rejection.ts'
import {
  type ResolvedRunningInstance,
  resolveIndexStart,
  resolveRunningInstance,
} from '#lib/protocol/running-instance.ts'
import { callsOf, dimensionRun } from './dimension-run.ts'
import {
  type ExplainedDimension,
  type ExplainedStep,
  type ExplainRequest,
  type ExplainResult,
  type Explanation,
  SHOWN_STEPS,
} from './explainer.ts'
import { connectorFinder, dimensionPlace, type FastEngine, placeInDimension } from './locate.ts'

/** The Runner's rejection when the caller overrides a static position. */
function clashRejection(position: number): Rejection {
  return decodeRejection(staticOverride(position))
}

const UINT32_MAX = 4_294_967_295

/** A run that was not completed. */
export type Stopped = Exclude<RunOutcome, { readonly status: 'returned' | 'reverted' }>

/** Follows one particle from the root down to its leaf; evaluates only the dimensions on its path, and no conditions. */
export async function explain(
  request: Omit<ExplainRequest, 'signal'>,
  engine: FastEngine,
): Promise<ExplainResult | Stopped> {
  const { artifacts, dynamicRi, path, step } = request
  const { root, artifactOf } = connectorFinder(request)
  const visits = dimensionsOnPath(root, artifactOf, path)
  if (visits === undefined) return { ok: false, reason: 'no_such_path' }

  const { start, source, clash } = resolveIndexStart(root, dynamicRi)
  const refused = clash
    ? clashRejection(0)
    : start + step > UINT32_MAX
      ? decodeRejection(OVERFLOW)
      : undefined
  if (refused) return { ok: false, reason: 'rejected', rejection: refused, place: { kind: 'start' } }

  const tools = { engine, artifacts, block: request.block }
  const dimensions: ExplainedDimension[] = []
  let index = start + step
  for (const visit of visits) {
    const instance = resolveRunningInstance(root, visit, dynamicRi)
    if (instance.clash) {
      const place = placeInDimension(visit, instance, { kind: 'instance' })
      return { ok: false, reason: 'rejected', rejection: clashRejection(visit.position), place }
    }
    const outcome = await explainDimension(tools, visit, instance, index)
    if ('status' in outcome || 'ok' in outcome) return outcome
    dimensions.push(outcome)
    index = outcome.value
  }
  const explanation: Explanation = {
    start: { index: start, source },
    index: start + step,
    dimensions,
    value: index,
  }
  return { ok: true, explanation }
}

interface Tools {
  readonly engine: FastEngine
  readonly artifacts: readonly Artifact[]
  readonly block: BlockFields | undefined
}

async function explainDimension(
  { engine, artifacts, block }: Tools,
  visit: DimensionVisit,
  instance: ResolvedRunningInstance,
  index: number,
): Promise<ExplainedDimension | ExplainResult | Stopped> {
  const { transformations } = callsOf(visit)
  const facts = {
    ...dimensionPlace(visit),
    leadsTo: visit.next?.name ?? '',
    runningInstance: instance,
    index,
  }
  if (transformations.length === 0) return { ...facts, steps: [], value: instance.startPoint }

  const shownSteps = Math.min(index, SHOWN_STEPS)
  const first = index - shownSteps
  const asRun = { ...dimensionRun(artifacts, visit, instance, first, shownSteps + 1), block }
  const run = await engine.run(asRun)
  if (run.status === 'reverted') {
    const cause = (await engine.locate(asRun))?.cause
    const place = cause && placeInDimension(visit, instance, cause)
    return { ok: false, reason: 'rejected', rejection: decodeRejection(run.revertData), place }
  }
  if (run.status !== 'returned') return run
  const values = run.particles[0]!.data
  const steps = Array.from({ length: shownSteps }, (_, at): ExplainedStep => {
    const number = first + at + 1
    const call = (instance.transformationShift + number - 1) % transformations.length
    const { name, args } = transformations[call]!
    return { number, call, transformation: name, args, before: values[at]!, after: values[at + 1]! }
  })
  return { ...facts, steps, value: values[shownSteps]! }
}

function dimensionsOnPath(
  root: ConnectorArtifact,
  artifactOf: (hash: `0x${string}`) => ConnectorArtifact,
  path: string,
): DimensionVisit[] | undefined {
  const visits: DimensionVisit[] = []
  for (const visit of walkDimensions(root, artifactOf)) {
    // Preorder: the dimensions above the leaf come before it, each one level deeper.
    if (visit.depth !== visits.length || !`${path}/`.startsWith(`${visit.path}/`)) continue
    visits.push(visit)
    if (visit.path === path) return visit.next === undefined ? visits : undefined
  }
  return undefined
}
