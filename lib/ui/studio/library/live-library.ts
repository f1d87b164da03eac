import type { EntityKind } from '../../../domain/entity.ts'
import type { Found, Library, LibraryEntity } from '../document/library.ts'

/** Names are often asked for while they are typed: only those still wanted after this time are fetched. */
const REST_MS = 200

/** A name that was free may be taken a moment later. */
const ABSENT_FOR_MS = 30_000

const RETRY_MS = 5_000
const AT_ONCE = 6

type Read = (kind: EntityKind, name: string) => Promise<LibraryEntity | 'absent'>

interface Kept {
  readonly found: Exclude<Found, 'unknown'>
  readonly atMs: number
}

/** A library that asks the server for every name somebody looks up, once, and says when it knows more. */
export interface LiveLibrary extends Library {
  subscribe(listener: () => void): () => void
  /** A library with what is known now; another one whenever more is known. */
  snapshot(): Library
  /** Asks again for a name, for instance after publishing it. */
  refresh(kind: EntityKind, name: string): void
  /** Lets it ask; returns the way to stop. Until then everything is unknown. */
  start(): () => void
}

export function createLiveLibrary(read: Read): LiveLibrary {
  const kept = new Map<string, Kept>()
  const wanted = new Map<string, readonly [EntityKind, string]>()
  const underWay = new Set<string>()
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = true

  const tell = () => {
    current = { find }
    for (const listener of [...listeners]) listener()
  }

  const schedule = (afterMs: number) => {
    if (!stopped) timer ??= setTimeout(fetchWanted, afterMs)
  }

  const fetchWanted = () => {
    timer = undefined
    for (const [key, [kind, name]] of wanted) {
      if (underWay.size >= AT_ONCE) break
      wanted.delete(key)
      underWay.add(key)
      read(kind, name).then(
        (found) => {
          underWay.delete(key)
          kept.set(key, { found, atMs: Date.now() })
          if (!stopped) tell()
          if (wanted.size > 0) schedule(0)
        },
        () => {
          // Still unknown. Whoever needs it keeps looking it up.
          underWay.delete(key)
          wanted.set(key, [kind, name])
          schedule(RETRY_MS)
        },
      )
    }
  }

  const find: Library['find'] = (kind, name) => {
    const key = `${kind}/${name}`
    const known = kept.get(key)
    const stale = known?.found === 'absent' && Date.now() - known.atMs > ABSENT_FOR_MS
    if ((known === undefined || stale) && !underWay.has(key)) {
      wanted.set(key, [kind, name])
      schedule(REST_MS)
    }
    return known?.found ?? 'unknown'
  }

  let current: Library = { find }

  return {
    find,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    snapshot: () => current,
    refresh(kind, name) {
      wanted.set(`${kind}/${name}`, [kind, name])
      schedule(0)
    },
    start() {
      stopped = false
      if (wanted.size > 0) schedule(0)
      return () => {
        stopped = true
        clearTimeout(timer)
        timer = undefined
      }
    },
  }
}
