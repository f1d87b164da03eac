import type { EntityKind, Hash, Hex } from '#lib/protocol/entity.ts'
import type { ParticleStream } from '#lib/protocol/particles.ts'
import type { ArtifactsAnswer } from '#lib/server/operations/studio/artifacts.ts'
import type { WireDefinition } from '../../document/definition.ts'

/* Messages between the page and the engine's worker. */

export type WireArtifact = ArtifactsAnswer['artifacts'][number]

/** The first message of a worker, before its answers: its script is here. */
export const LOADED = { id: 0 } as const

/** Parts that a worker needs to build a connector and does not have yet. */
export interface TaskParts {
  /** Artifacts of the network, cached by the worker. */
  readonly artifacts: readonly WireArtifact[]
  /** Content hashes of names outside the document. */
  readonly names: readonly { readonly kind: EntityKind; readonly name: string; readonly contentHash: Hash }[]
  /** Compiled bodies of the document. */
  readonly bodies: readonly CompiledBody[]
  readonly connectors: readonly WireDefinition[]
  readonly root: string
}

/** One run. */
export interface Task extends TaskParts {
  readonly id: number
  readonly particlesCount: number
  readonly dynamicRi: Readonly<
    Record<string, { readonly start_point: number; readonly transformation_shift: number }>
  >
}

export interface CompiledBody {
  readonly kind: 'transformation' | 'condition'
  readonly name: string
  readonly argsCount: number
  readonly runtime: Hex
}

/** Outcome of a task. The server knows everything that the worker declines. */
export type TaskAnswer =
  | { readonly id: number; readonly outcome: 'particles'; readonly particles: readonly ParticleStream[] }
  | { readonly id: number; readonly outcome: 'declined'; readonly why: string }
