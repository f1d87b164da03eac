import type { PositionedRunningInstance, RunningInstance } from '#lib/protocol/definition.ts'
import { leastParticlesBytes, type ParticleStream } from '#lib/protocol/particles.ts'
import type { Allowance, Coroutine } from '../allowance.ts'
import type { Plan, PlanNode } from '../plan.ts'
import { RunExhausted, type RunRequest, RunReverted } from '../run.ts'
import { contiguous, type Indices, indicesOf } from '../sequence/indices.ts'
import type { Sequences } from '../sequence/sequences.ts'
import type { Conditions } from './conditions.ts'
import { duplicate, NO_PARTICLES, notSorted, OVERFLOW, staticOverride } from './rejections.ts'

const MAX_UINT32 = 0xffff_ffff
const INSTANCE = { kind: 'instance' } as const
const DEFAULT_INSTANCE: RunningInstance = { startPoint: 0, transformationShift: 0 }

/** Limit of the values of one run, all leaves together: 32 MB. */
export const MAX_VALUES = 8_388_608

/**
 * Runs a connector as `contracts/Runner.sol` does, in the same order, so that a run with several reasons to stop stops for
 * the same one.
 *
 * @throws RunReverted, RunExhausted
 */
export function* walk(
  plan: Plan,
  { particlesCount: count, dynamicRi }: Pick<RunRequest, 'particlesCount' | 'dynamicRi'>,
  { sequences, conditions }: { readonly sequences: Sequences; readonly conditions: Conditions },
  allowance: Allowance,
): Coroutine<ParticleStream[]> {
  if (count === 0) throw new RunReverted(NO_PARTICLES)
  const least = leastParticlesBytes(plan.leaves, plan.pathLength, count)
  if (least > allowance.answerBytes) throw new RunExhausted('answer', least)
  checkOrder(dynamicRi)
  const dynamic = new DynamicInstances(dynamicRi)
  const start = startOf(plan, dynamic.at(0))
  if (start + count - 1 > MAX_UINT32) throw new RunReverted(OVERFLOW, INSTANCE)

  const particles: ParticleStream[] = []
  let block: Uint32Array | undefined
  const indicesAt: Indices[] = [contiguous(start, count)]
  const visit = function* (node: PlanNode): Coroutine<void> {
    if (node.condition) yield* conditions.require(node.condition, allowance)
    const instance = instanceOf(node, dynamic.at(node.position))
    const before = allowance.steps
    let out: Uint32Array
    if (node.path === undefined) out = new Uint32Array(count)
    else {
      block ??= makeBlock(plan.leaves * count)
      out = block.subarray(particles.length * count, (particles.length + 1) * count)
    }
    if (node.calls === undefined) out.fill(instance.startPoint)
    else yield* sequences.values(node.calls, instance, indicesAt[node.depth]!, out, allowance)
    allowance.chargeValues(count, before - allowance.steps)
    if (node.path === undefined) indicesAt[node.depth + 1] = indicesOf(out)
    else particles.push({ path: node.path, data: out })
  }
  for (const node of plan.nodes) {
    try {
      yield* visit(node)
    } catch (error) {
      if (error instanceof RunReverted) error.position = node.position
      throw error
    }
  }
  return particles
}

function makeBlock(values: number): Uint32Array {
  if (values > MAX_VALUES) throw new RunExhausted('values')
  return new Uint32Array(values)
}

function checkOrder(instances: readonly PositionedRunningInstance[]): void {
  for (let i = 1; i < instances.length; i++) {
    const { position } = instances[i]!
    const previous = instances[i - 1]!.position
    if (position === previous) throw new RunReverted(duplicate(position))
    if (position < previous) throw new RunReverted(notSorted(previous, position))
  }
}

/** The caller's running instances; `at` is called in ascending order of positions. */
class DynamicInstances {
  readonly #instances: readonly PositionedRunningInstance[]
  #next = 0

  constructor(instances: readonly PositionedRunningInstance[]) {
    this.#instances = instances
  }

  at(position: number): RunningInstance | undefined {
    const instances = this.#instances
    while (this.#next < instances.length && instances[this.#next]!.position < position) this.#next++
    const instance = instances[this.#next]
    return instance?.position === position ? instance : undefined
  }
}

function startOf(plan: Plan, dynamic: RunningInstance | undefined): number {
  if (dynamic === undefined) return plan.start ?? 0
  if (plan.start !== undefined) throw new RunReverted(staticOverride(0), INSTANCE)
  return dynamic.startPoint
}

function instanceOf(
  { position, fixed, entrance }: PlanNode,
  dynamic: RunningInstance | undefined,
): RunningInstance {
  if (dynamic === undefined) return fixed ?? entrance ?? DEFAULT_INSTANCE
  if (fixed !== undefined) throw new RunReverted(staticOverride(position), INSTANCE)
  return dynamic
}
