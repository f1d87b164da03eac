import type { ArtifactsAnswer } from '../../../api/studio/artifacts-schemas.ts'
import type { EntityKind, Hash } from '../../../domain/entity.ts'
import type { Reference } from '../../../domain/references.ts'
import type { WireArtifact } from './engine/messages.ts'

/** What this page has read of the network to run by itself, by content hash. */
export interface KnownArtifacts {
  /**
   * What names stand for, asking the server for those it has not said yet.
   *
   * @returns undefined when one of them cannot be read here.
   */
  resolve(names: readonly Reference[], signal: AbortSignal): Promise<readonly NamedHash[] | undefined>
  /** Everything that artifacts stand on, themselves included. */
  closure(hashes: readonly Hash[]): readonly WireArtifact[]
  /** Asks anew what names stand for. @returns whether that is something else by now. */
  refresh(names: readonly Reference[]): Promise<boolean>
  forget(): void
}

export interface NamedHash extends Reference {
  readonly contentHash: Hash
}

export interface KnownArtifactsOptions {
  readonly read: (names: readonly Reference[], signal: AbortSignal) => Promise<ArtifactsAnswer>
  readonly nowMs: () => number
  /** About so many characters of code are kept; with one more everything is read anew. */
  readonly maxCharacters?: number
  /** Whoever was given some of it should forget it, too. */
  readonly onForget?: () => void
}

/** Until a name that could not be read is asked for again. */
const ABSENT_MS = 10_000

const keyOf = (kind: EntityKind, name: string) => `${kind}/${name}`

export function createKnownArtifacts(options: KnownArtifactsOptions): KnownArtifacts {
  const { read, nowMs, maxCharacters = 32 * 1024 * 1024, onForget } = options
  const hashes = new Map<string, Hash>()
  const absentUntil = new Map<string, number>()
  const artifacts = new Map<Hash, WireArtifact>()
  let characters = 0

  const forget = () => {
    hashes.clear()
    absentUntil.clear()
    artifacts.clear()
    characters = 0
    onForget?.()
  }

  const learn = (asked: readonly Reference[], answer: ArtifactsAnswer) => {
    if (characters > maxCharacters) forget()
    for (const artifact of answer.artifacts) {
      const hash = artifact.content_hash as Hash
      if (artifacts.has(hash)) continue
      artifacts.set(hash, artifact)
      characters += weight(artifact)
    }
    for (const { kind, name, content_hash: hash } of answer.names) hashes.set(keyOf(kind, name), hash as Hash)
    for (const { kind, name } of asked) {
      if (!hashes.has(keyOf(kind, name))) absentUntil.set(keyOf(kind, name), nowMs() + ABSENT_MS)
    }
  }

  return {
    async resolve(names, signal) {
      const unknown = names.filter(({ kind, name }) => !hashes.has(keyOf(kind, name)))
      if (unknown.some(({ kind, name }) => (absentUntil.get(keyOf(kind, name)) ?? 0) > nowMs()))
        return undefined
      if (unknown.length > 0) learn(unknown, await read(unknown, signal))
      const found = names.flatMap(({ kind, name }) => {
        const contentHash = hashes.get(keyOf(kind, name))
        return contentHash === undefined ? [] : [{ kind, name, contentHash }]
      })
      return found.length === names.length ? found : undefined
    },
    closure(roots) {
      const reached = new Set(roots)
      const found: WireArtifact[] = []
      // Grows while it is walked.
      for (const hash of reached) {
        const artifact = artifacts.get(hash)
        if (artifact === undefined) continue
        found.push(artifact)
        if (artifact.kind !== 'connector') continue
        for (const used of artifact.dependencies) reached.add(used as Hash)
      }
      return found
    },
    async refresh(names) {
      const before = names.map(({ kind, name }) => hashes.get(keyOf(kind, name)))
      hashes.clear()
      absentUntil.clear()
      if (names.length > 0) learn(names, await read(names, new AbortController().signal))
      return names.some(({ kind, name }, index) => hashes.get(keyOf(kind, name)) !== before[index])
    },
    forget,
  }
}

function weight(artifact: WireArtifact): number {
  return artifact.kind === 'connector'
    ? artifact.payload.length + 70 * artifact.dependencies.length
    : artifact.runtime.length
}
