import { createEngine, translators } from '#lib/engine/engine.ts'
import type { RunLimits } from '#lib/engine/run.ts'
import type { ConnectorArtifact } from '#lib/protocol/artifact.ts'
import { assembleTask, createArtifactStore } from './assemble-task.ts'
import type { Task, TaskAnswer } from './messages.ts'

/** Values of all paths together; more is no preview, and takes the memory of a page. */
const MAX_VALUES = 8 * 1024 * 1024
const CACHE_BYTES = 64 * 1024 * 1024

const LIMITS = { steps: 200_000_000, gas: 0n } satisfies Partial<RunLimits>
/** Longest run that a page waits for. */
const RUN_MS = 500

/**
 * Runs tasks by the engine that the server has, but without an exact one behind it: what no translation can do is
 * declined, and so is every run that does not end with particles. Never throws.
 *
 * @param milliseconds Of one run; later it is declined.
 */
export function createTaskRunner(milliseconds = RUN_MS): (task: Task) => TaskAnswer {
  const store = createArtifactStore()
  const engine = createEngine({ translators, cacheBytes: CACHE_BYTES })

  const run = (task: Task): TaskAnswer => {
    const declined = (why: string) => ({ id: task.id, outcome: 'declined', why }) as const
    const { root, artifacts } = assembleTask(task, store)
    const connector = artifacts.find(({ contentHash }) => contentHash === root) as ConnectorArtifact
    if (connector.leafCount * task.particlesCount > MAX_VALUES) return declined('values')
    const { particlesCount } = task
    const outcome = engine.runNow(
      { root, artifacts, particlesCount, dynamicRi: dynamicRiOf(task.dynamicRi) },
      { ...LIMITS, milliseconds },
    )
    return outcome.status === 'returned'
      ? { id: task.id, outcome: 'particles', particles: outcome.particles }
      : declined(outcome.status)
  }

  return (task) => {
    store.add(task.artifacts)
    try {
      return run(task)
    } catch (error) {
      return { id: task.id, outcome: 'declined', why: String(error) }
    }
  }
}

function dynamicRiOf(wire: Task['dynamicRi']) {
  return Object.entries(wire)
    .map(([position, ri]) => ({
      position: Number(position),
      startPoint: ri.start_point,
      transformationShift: ri.transformation_shift,
    }))
    .sort((a, b) => a.position - b.position)
}
