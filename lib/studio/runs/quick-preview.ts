import type { EntityKind } from '#lib/protocol/entity.ts'
import type { Reference } from '#lib/protocol/references.ts'
import type { PreviewAnswer, PreviewRequest } from '#lib/server/operations/studio/preview-schemas.ts'
import type { BrowserEngine, WorkerMemory } from './engine/browser-engine.ts'
import type { Task, TaskAnswer, TaskParts } from './engine/messages.ts'
import type { CompiledBodies, KnownArtifacts } from './known-artifacts.ts'
import type { SliceRequest } from './slice.ts'

/** Particles generated in the browser, of what the server has compiled before. */
export interface QuickPreview {
  /** Undefined for everything but particles: rejections and problems come from the server only. */
  send(question: PreviewRequest, signal: AbortSignal): Promise<PreviewAnswer | undefined>
  /**
   * What a worker needs to build the connector of a question; undefined while something of it is not known. It is
   * learnt from answers of the server (`onAnswer`).
   */
  partsOf(
    question: PreviewRequest,
    signal: AbortSignal,
  ): Promise<((memory: WorkerMemory) => TaskParts) | undefined>
  /** Learns compiled bodies from an answer of the server. */
  onAnswer(question: PreviewRequest, answer: PreviewAnswer): void
}

export interface QuickPreviewParts {
  readonly engine: BrowserEngine<Task, TaskAnswer>
  readonly artifacts: KnownArtifacts
  readonly bodies: CompiledBodies
}

/** A request as the studio writes it: its numbers are no strings. */
type Question = SliceRequest & {
  readonly particles_count: number
  readonly dynamic_ri: Task['dynamicRi']
}

export function createQuickPreview({ engine, artifacts, bodies }: QuickPreviewParts): QuickPreview {
  const partsOf = async (question: Question, signal: AbortSignal) => {
    await bodies.ready
    const compiled = bodies.find(question.bodies)
    const resolved = artifacts.resolve(outsideNames(question), signal)
    if (compiled === undefined) {
      // Fetched although nothing can run yet: the next question will need them.
      resolved.catch(() => undefined)
      return undefined
    }
    const names = await resolved
    if (names === undefined) return undefined
    return (memory: WorkerMemory): TaskParts => {
      const closure = artifacts.closure(names.map(({ contentHash }) => contentHash))
      const unsent = closure.filter((artifact) => !memory.has(artifact.content_hash))
      for (const artifact of unsent) memory.add(artifact.content_hash)
      return {
        artifacts: unsent,
        names,
        bodies: compiled,
        connectors: question.connectors,
        root: question.connector_name,
      }
    }
  }

  return {
    partsOf: (question, signal) => partsOf(question as Question, signal),
    async send(request, signal) {
      const question = request as Question
      const parts = await partsOf(question, signal)
      if (parts === undefined) return undefined
      const { particles_count: particlesCount, dynamic_ri: dynamicRi } = question
      const answer = await engine.run((memory) => ({ ...parts(memory), particlesCount, dynamicRi }))
      if (answer?.outcome !== 'particles') return undefined
      const particles = answer.particles.map(({ path, data }) => ({ path, data: Array.from(data) }))
      return {
        result: { outcome: 'particles', particles },
        bodies: [],
        timings: { compile_ms: 0, build_ms: 0, run_ms: 0 },
      }
    },
    onAnswer: (request, answer) => bodies.learn((request as Question).bodies, answer.bodies),
  }
}

/** Names that a slice uses and does not define, each once. */
export function outsideNames({ connector_name: root, connectors, bodies }: SliceRequest): Reference[] {
  const own = new Set([
    ...bodies.map(({ kind, name }) => `${kind}/${name}`),
    ...connectors.map(({ name }) => `connector/${name}`),
  ])
  const referenceByKey = new Map<string, Reference>()
  const add = (kind: EntityKind, name: string) => {
    const key = `${kind}/${name}`
    if (name !== '' && !own.has(key)) referenceByKey.set(key, { kind, name })
  }
  add('connector', root)
  for (const { dimensions, condition_name: condition } of connectors) {
    add('condition', condition)
    for (const { transformations, composite, bindings } of dimensions) {
      for (const call of transformations) add('transformation', call.name)
      add('connector', composite)
      for (const name of Object.values(bindings)) add('connector', name)
    }
  }
  return [...referenceByKey.values()]
}
