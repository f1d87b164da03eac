import type { BuiltArtifact, BuiltConnector, CodeArtifact } from '../../../../domain/artifact.ts'
import { codeContentHash } from '../../../../domain/content-hash.ts'
import { buildConnector } from '../../../../domain/creation-checks.ts'
import type { Hash, Hex } from '../../../../domain/entity.ts'
import { decodePayload } from '../../../../domain/payload.ts'
import { references } from '../../../../domain/references.ts'
import type { WireArtifact } from './messages.ts'

/** Artifacts of the network by content hash. */
export interface ArtifactShelf {
  /** Puts some on the shelf; they are read when they are needed. */
  add(artifacts: readonly WireArtifact[]): void
  /**
   * One artifact, with everything it stands on ready as well.
   *
   * @throws Error when it is not here, or is not what its hash says.
   */
  get(contentHash: Hash): BuiltArtifact
  /** An artifact and everything it stands on, each once, into `found`. */
  closure(artifact: BuiltArtifact, found: Map<Hash, BuiltArtifact>): void
}

/** Believes nobody: what is built from the bytes has to have the content hash that was asked for. */
export function createArtifactShelf(): ArtifactShelf {
  const wires = new Map<Hash, WireArtifact>()
  const read = new Map<Hash, BuiltArtifact>()

  const get = (contentHash: Hash): BuiltArtifact => {
    const before = read.get(contentHash)
    if (before) return before
    const wire = wires.get(contentHash)
    if (wire === undefined) throw new Error(`There is no artifact ${contentHash}`)
    const artifact = wire.kind === 'connector' ? readConnector(wire, get) : readCode(wire)
    if (artifact.contentHash !== contentHash) throw new Error(`${wire.name} is not what its hash says`)
    read.set(contentHash, artifact)
    wires.delete(contentHash)
    return artifact
  }

  const closure = (artifact: BuiltArtifact, found: Map<Hash, BuiltArtifact>): void => {
    if (found.has(artifact.contentHash)) return
    found.set(artifact.contentHash, artifact)
    if (artifact.kind !== 'connector') return
    for (const used of artifact.dependencies) {
      if (!found.has(used.contentHash)) closure(get(used.contentHash), found)
    }
  }

  return {
    add(artifacts) {
      for (const wire of artifacts) {
        const contentHash = wire.content_hash as Hash
        if (!read.has(contentHash)) wires.set(contentHash, wire)
      }
    },
    get,
    closure,
  }
}

function readCode(wire: Extract<WireArtifact, { runtime: string }>): CodeArtifact {
  const { kind, name, args_count: argsCount } = wire
  const runtime = wire.runtime as Hex
  return { kind, name, argsCount, runtime, contentHash: codeContentHash(kind, name, argsCount, runtime) }
}

function readConnector(
  wire: Extract<WireArtifact, { payload: string }>,
  get: (contentHash: Hash) => BuiltArtifact,
): BuiltConnector {
  const payload = decodePayload('connector', wire.name, wire.payload as Hex)
  if (payload.kind !== 'connector') throw new Error(`${wire.name} is no connector`)
  const { definition } = payload
  const hashes = new Map(
    references(definition).map(({ kind, name }, index) => [
      `${kind}/${name}`,
      wire.dependencies[index] as Hash | undefined,
    ]),
  )
  return buildConnector(definition, (kind, name) => {
    const contentHash = hashes.get(`${kind}/${name}`)
    return contentHash === undefined ? undefined : get(contentHash)
  })
}
