import type { EntityKind, Hash, Hex } from '#lib/protocol/entity.ts'
import type { Reference } from '#lib/protocol/references.ts'
import type { ArtifactsAnswer } from '#lib/server/operations/studio/artifacts.ts'
import type { PreviewAnswer } from '#lib/server/operations/studio/preview-schemas.ts'
import type { CompiledBody, WireArtifact } from './engine/messages.ts'
import type { SliceRequest } from './slice.ts'
import type { BodyStorage, StoredBody } from './stored-bodies.ts'

/** Artifacts of the network fetched by this page, by content hash. */
export interface KnownArtifacts {
  /**
   * Resolves names to content hashes, fetching unknown ones. Names that were read a while ago are read again meanwhile:
   * drafts are revised.
   *
   * @returns undefined when one of them cannot be read.
   */
  resolve(names: readonly Reference[], signal: AbortSignal): Promise<readonly NamedHash[] | undefined>
  /** Artifacts and their transitive dependencies. */
  closure(hashes: readonly Hash[]): readonly WireArtifact[]
  /** Stores what a server has sent, as if these names had been read. */
  learn(names: readonly Reference[], answer: ArtifactsAnswer): void
  forget(): void
}

export interface NamedHash extends Reference {
  readonly contentHash: Hash
}

export interface KnownArtifactsOptions {
  readonly read: (names: readonly Reference[], signal: AbortSignal) => Promise<ArtifactsAnswer>
  readonly nowMs: () => number
  /** Called when the cache is cleared. */
  readonly onForget?: () => void
}

/** Artifacts and bodies kept each. */
const MAX_KEPT = 1000

/** Time after which a name that could not be read is read again. */
const ABSENT_MS = 10_000
/** Age from which a name is read again beside a run. */
const REREAD_MS = 10_000
const NEVER = new AbortController().signal

function keyOf(kind: EntityKind, name: string): string {
  return `${kind}/${name}`
}

export function createKnownArtifacts(options: KnownArtifactsOptions): KnownArtifacts {
  const { read, nowMs, onForget } = options
  const hashes = new Map<string, Hash>()
  const readAtMs = new Map<string, number>()
  const absentUntil = new Map<string, number>()
  const artifacts = new Map<Hash, WireArtifact>()

  const forget = () => {
    hashes.clear()
    readAtMs.clear()
    absentUntil.clear()
    artifacts.clear()
    onForget?.()
  }

  const learn = (references: readonly Reference[], answer: ArtifactsAnswer) => {
    if (artifacts.size > MAX_KEPT) forget()
    for (const { kind, name } of references) {
      hashes.delete(keyOf(kind, name))
      readAtMs.set(keyOf(kind, name), nowMs())
    }
    for (const artifact of answer.artifacts) artifacts.set(artifact.content_hash as Hash, artifact)
    for (const { kind, name, content_hash: hash } of answer.names) hashes.set(keyOf(kind, name), hash as Hash)
    for (const { kind, name } of references) {
      if (!hashes.has(keyOf(kind, name))) absentUntil.set(keyOf(kind, name), nowMs() + ABSENT_MS)
    }
  }

  const readAgain = (names: readonly Reference[]) => {
    const old = names.filter(({ kind, name }) => (readAtMs.get(keyOf(kind, name)) ?? 0) + REREAD_MS < nowMs())
    for (const { kind, name } of old) readAtMs.set(keyOf(kind, name), nowMs())
    if (old.length === 0) return
    read(old, NEVER).then(
      (answer) => learn(old, answer),
      () => {
        // They stay as they were read.
      },
    )
  }

  return {
    async resolve(names, signal) {
      const unknown = names.filter(({ kind, name }) => !hashes.has(keyOf(kind, name)))
      if (unknown.some(({ kind, name }) => (absentUntil.get(keyOf(kind, name)) ?? 0) > nowMs()))
        return undefined
      if (unknown.length > 0) learn(unknown, await read(unknown, signal))
      readAgain(names)
      const hashedReferences = names.flatMap(({ kind, name }) => {
        const contentHash = hashes.get(keyOf(kind, name))
        return contentHash === undefined ? [] : [{ kind, name, contentHash }]
      })
      return hashedReferences.length === names.length ? hashedReferences : undefined
    },
    closure(roots) {
      const reached = new Set(roots)
      const closure: WireArtifact[] = []
      // Grows while it is walked.
      for (const hash of reached) {
        const artifact = artifacts.get(hash)
        if (artifact === undefined) continue
        closure.push(artifact)
        if (artifact.kind !== 'connector') continue
        for (const used of artifact.dependencies) reached.add(used as Hash)
      }
      return closure
    },
    learn,
    forget,
  }
}

type Body = SliceRequest['bodies'][number]

/** An LRU cache of compiled bodies by source. */
export interface CompiledBodies {
  /** Resolves when what is stored has been read. */
  readonly ready: Promise<void>
  /** Undefined while one of them is not compiled. */
  find(bodies: readonly Body[]): readonly CompiledBody[] | undefined
  learn(bodies: readonly Body[], compiled: PreviewAnswer['bodies']): void
}

/** @param storage Of earlier pages; by default none. */
export function createCompiledBodies(storage?: BodyStorage): CompiledBodies {
  const codeOf = new Map<string, { readonly argsCount: number; readonly runtime: Hex }>()
  const keyOf = ({ kind, sol_src: source }: Body) => `${kind} ${source}`
  const load = async () => {
    for (const { key, argsCount, runtime } of (await storage?.load()) ?? []) {
      if (!codeOf.has(key)) codeOf.set(key, { argsCount, runtime })
    }
  }

  return {
    ready: load(),
    find(bodies) {
      const compiledBodies: CompiledBody[] = []
      for (const body of bodies) {
        const compiled = codeOf.get(keyOf(body))
        if (compiled === undefined) return undefined
        compiledBodies.push({ kind: body.kind, name: body.name, ...compiled })
      }
      return compiledBodies
    },
    learn(bodies, compiled) {
      const fresh: StoredBody[] = []
      const answers = new Map(compiled.map((body) => [`${body.kind}/${body.name}`, body]))
      for (const body of bodies) {
        const answer = answers.get(`${body.kind}/${body.name}`)
        if (!answer || answer.args_count === null || answer.runtime === null) continue
        const key = keyOf(body)
        const code = { argsCount: answer.args_count, runtime: answer.runtime as Hex }
        if (!codeOf.delete(key)) fresh.push({ key, ...code })
        codeOf.set(key, code)
      }
      if (fresh.length > 0) storage?.save(fresh)
      for (const key of codeOf.keys()) {
        if (codeOf.size <= MAX_KEPT) break
        codeOf.delete(key)
      }
    },
  }
}
