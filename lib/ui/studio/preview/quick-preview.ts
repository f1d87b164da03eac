import type { PreviewAnswer, PreviewRequest } from '../../../api/studio/preview-schemas.ts'
import type { EntityKind } from '../../../domain/entity.ts'
import type { Reference } from '../../../domain/references.ts'
import type { CompiledBodies } from './compiled-bodies.ts'
import type { BrowserEngine } from './engine/browser-engine.ts'
import type { Task } from './engine/messages.ts'
import type { KnownArtifacts } from './known-artifacts.ts'
import type { SliceRequest } from './slice-of.ts'

/** Particles made in the browser, which are there before the server's and count until then. */
export interface QuickPreview {
  readonly confirmAfterMs: number
  /** Undefined for everything but particles: why there are none is the server's to say. */
  send(question: PreviewRequest, signal: AbortSignal): Promise<PreviewAnswer | undefined>
  isSame(sooner: PreviewAnswer, answer: PreviewAnswer): boolean
  learn(question: PreviewRequest, answer: PreviewAnswer, differed: boolean): void
}

export interface QuickPreviewParts {
  readonly engine: BrowserEngine
  readonly artifacts: KnownArtifacts
  readonly bodies: CompiledBodies
  /** Told of every answer that was not the server's, but should have been. */
  readonly onDifference: () => void
}

/** A request as the studio itself writes it, whose numbers are numbers. */
type Question = SliceRequest & {
  readonly particles_count: number
  readonly dynamic_ri: Task['dynamicRi']
}

/** The server confirms the browser's particles when editing has paused for this long. */
const CONFIRM_AFTER_MS = 2000
/** Differences in one page after which its browser is not asked any more. */
const MAX_DIFFERENCES = 3

export function createQuickPreview({
  engine,
  artifacts,
  bodies,
  onDifference,
}: QuickPreviewParts): QuickPreview {
  let differences = 0

  /** Somebody may have published or revised what a name stood for: then both were right. */
  const judge = async (question: Question) => {
    const revised = await artifacts.refresh(outsideNames(question)).catch(() => true)
    if (revised) return
    differences += 1
    onDifference()
  }

  return {
    confirmAfterMs: CONFIRM_AFTER_MS,
    async send(asked, signal) {
      if (differences >= MAX_DIFFERENCES) return undefined
      const question = asked as Question
      const compiled = bodies.find(question.bodies)
      // Asked for although nothing can run yet: the next question will need them.
      const names = await artifacts.resolve(outsideNames(question), signal)
      if (compiled === undefined || names === undefined) return undefined
      const answer = await engine.run((memory) => {
        const closure = artifacts.closure(names.map(({ contentHash }) => contentHash))
        const unsent = closure.filter((artifact) => !memory.has(artifact.content_hash))
        for (const artifact of unsent) memory.add(artifact.content_hash)
        return {
          artifacts: unsent,
          names,
          bodies: compiled,
          connectors: question.connectors,
          root: question.connector_name,
          particlesCount: question.particles_count,
          dynamicRi: question.dynamic_ri,
        }
      })
      if (answer?.outcome !== 'particles') return undefined
      const particles = answer.particles.map(({ path, data }) => ({ path, data: Array.from(data) }))
      return {
        result: { outcome: 'particles', particles },
        bodies: [],
        timings: { compile_ms: 0, build_ms: 0, run_ms: 0 },
      }
    },
    isSame: (sooner, answer) => sameResult(sooner.result, answer.result),
    learn(asked, answer, differed) {
      const question = asked as Question
      bodies.learn(question.bodies, answer.bodies)
      if (differed) void judge(question)
    },
  }
}

/** Every name that the document uses and does not have, each once. */
export function outsideNames({ connector_name: root, connectors, bodies }: SliceRequest): Reference[] {
  const own = new Set([
    ...bodies.map(({ kind, name }) => `${kind}/${name}`),
    ...connectors.map(({ name }) => `connector/${name}`),
  ])
  const found = new Map<string, Reference>()
  const add = (kind: EntityKind, name: string) => {
    const key = `${kind}/${name}`
    if (name !== '' && !own.has(key)) found.set(key, { kind, name })
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
  return [...found.values()]
}

type Result = PreviewAnswer['result']

function sameResult(one: Result, other: Result): boolean {
  if (one.outcome !== 'particles' || other.outcome !== 'particles') return false
  return (
    one.particles.length === other.particles.length &&
    one.particles.every(({ path, data }, index) => {
      const same = other.particles[index]
      return same?.path === path && sameValues(data, same.data)
    })
  )
}

function sameValues(one: readonly number[], other: readonly number[]): boolean {
  if (one.length !== other.length) return false
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false
  return true
}
