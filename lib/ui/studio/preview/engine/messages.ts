import type { ArtifactsAnswer } from '../../../../api/studio/artifacts-schemas.ts'
import type { EntityKind, Hash, Hex } from '../../../../domain/entity.ts'
import type { ParticleStream } from '../../../../domain/particles.ts'
import type { WireDefinition } from '../../document/definition-of-wire.ts'

/* What the page and the engine's worker say to each other. */

export type WireArtifact = ArtifactsAnswer['artifacts'][number]

/** One run, with what the worker has not been given before. */
export interface Task {
  readonly id: number
  /** Of the network. The worker keeps them. */
  readonly artifacts: readonly WireArtifact[]
  /** What names outside the document stand for. */
  readonly names: readonly { readonly kind: EntityKind; readonly name: string; readonly contentHash: Hash }[]
  /** Of the document, compiled. */
  readonly bodies: readonly CompiledBody[]
  readonly connectors: readonly WireDefinition[]
  readonly root: string
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

/** What became of it. The server knows everything that the worker declines. */
export type TaskAnswer =
  | { readonly id: number; readonly outcome: 'particles'; readonly particles: readonly ParticleStream[] }
  | { readonly id: number; readonly outcome: 'declined'; readonly why: string }
