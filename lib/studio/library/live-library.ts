import { createValue } from '#lib/browser/value.ts'
import type { Address, Hash } from '#lib/protocol/entity.ts'
import type { Presentation } from '#lib/protocol/presentation.ts'
import type { Reference } from '#lib/protocol/references.ts'
import type { EntitiesAnswer } from '#lib/server/operations/studio/entities.ts'
import { definitionOfWire } from '../document/definition.ts'
import {
  addressOf,
  type Found,
  type Library,
  type LibraryEntity,
  type LibrarySource,
} from '../document/parts.ts'
import { requestEntities } from '../runs/client.ts'

/** Names are often looked up while typed: only those still wanted after this time are fetched. */
const DEBOUNCE_MS = 200

/** A name that was free may be taken a moment later. */
const ABSENT_FOR_MS = 30_000

const RETRY_MS = 5_000
/** As the server does. */
const MAX_NAMES = 50

/** Reads entities in one request; free names are absent from the result. */
type Read = (names: readonly Reference[]) => Promise<readonly LibraryEntity[]>

interface CacheEntry {
  readonly answer: Exclude<Found, 'unknown'>
  readonly atMs: number
}

/** A library that fetches each name that is looked up, once, and notifies its subscribers. */
export interface LiveLibrary extends LibrarySource {
  /** Starts fetching; returns a function that stops. Until then every name is unknown. */
  start(): () => void
  /**
   * Sets the reader: an address in lower case, or `VISITOR`. Another reader may find something else under each name that
   * was looked up, so each is read again; what only the reader before could see is unknown at once.
   */
  readAs(next: string): void
}

export function createLiveLibrary(read: Read): LiveLibrary {
  const cache = new Map<string, CacheEntry>()
  const queue = new Map<string, Reference>()
  const inFlight = new Set<string>()
  const requests = new Map<string, Reference>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = true
  let reader: string | undefined

  const schedule = (afterMs: number) => {
    if (!stopped) timer ??= setTimeout(fetchWanted, afterMs)
  }

  const readNow = async (names: readonly Reference[]) => {
    const entities = await read(names)
    const byKey = new Map(entities.map((entity) => [keyOf(entity), entity]))
    for (const name of names) {
      requests.set(keyOf(name), name)
      cache.set(keyOf(name), { answer: byKey.get(keyOf(name)) ?? 'absent', atMs: Date.now() })
    }
    if (!stopped) current.setState({ find })
    return entities
  }

  const fetchWanted = async () => {
    timer = undefined
    const batch = [...queue.values()].filter((name) => !inFlight.has(keyOf(name))).slice(0, MAX_NAMES)
    if (batch.length === 0) return
    for (const name of batch) {
      queue.delete(keyOf(name))
      inFlight.add(keyOf(name))
    }
    try {
      await readNow(batch)
      if (queue.size > 0) schedule(0)
    } catch {
      // Still unknown: retried.
      for (const name of batch) queue.set(keyOf(name), name)
      schedule(RETRY_MS)
    } finally {
      for (const name of batch) inFlight.delete(keyOf(name))
    }
  }

  const find: Library['find'] = (kind, name) => {
    const key = keyOf({ kind, name })
    const known = cache.get(key)
    const stale = known?.answer === 'absent' && Date.now() - known.atMs > ABSENT_FOR_MS
    if ((known === undefined || stale) && !inFlight.has(key)) {
      queue.set(key, { kind, name })
      schedule(DEBOUNCE_MS)
    }
    return known?.answer ?? 'unknown'
  }

  const current = createValue<Library>({ find })

  return {
    find,
    subscribe: current.subscribe,
    getState: current.getState,
    read: readNow,
    refresh(kind, name) {
      queue.set(keyOf({ kind, name }), { kind, name })
      schedule(0)
    },
    readAs(next) {
      const before = reader
      reader = next
      if (before === undefined || before === next) return
      for (const [key, { answer }] of cache) {
        if (typeof answer === 'object' && addressOf(answer) === undefined) cache.delete(key)
      }
      if (!stopped) current.setState({ find })
      for (const [key, name] of requests) queue.set(key, name)
      schedule(0)
    },
    start() {
      stopped = false
      if (queue.size > 0) schedule(0)
      return () => {
        stopped = true
        clearTimeout(timer)
        timer = undefined
      }
    },
  }
}

function keyOf({ kind, name }: Reference): string {
  return `${kind}/${name}`
}

/**
 * Fetches entities by name from the server.
 *
 * @param options.asPublished Without what owners changed of how their pieces are shown.
 * @throws {Error} when the server is unreachable or fails.
 */
export async function readEntities(
  names: readonly Reference[],
  { asPublished = false }: { readonly asPublished?: boolean } = {},
): Promise<readonly LibraryEntity[]> {
  const request = { names: [...names], ...(asPublished && { as_published: true }) }
  return libraryEntities(await requestEntities(request))
}

/** Library entities of a response of the server. */
export function libraryEntities({
  connectors,
  transformations,
  conditions,
}: EntitiesAnswer): readonly LibraryEntity[] {
  return [
    ...connectors.map((wire) => ({
      kind: 'connector' as const,
      ...known(wire),
      definition: definitionOfWire(wire),
      formatHash: `0x${wire.format_hash}` as const,
      ...((wire.title !== null || wire.present !== null) && {
        piece: {
          ...(wire.title !== null && { title: wire.title }),
          ...(wire.present !== null && { present: wire.present as unknown as Presentation }),
        },
      }),
    })),
    ...transformations.map((wire) => codeOf('transformation', wire)),
    ...conditions.map((wire) => codeOf('condition', wire)),
  ]
}

function codeOf(kind: 'transformation' | 'condition', wire: EntitiesAnswer['transformations'][number]) {
  const { source, description } = wire
  return {
    kind,
    ...known(wire),
    argsCount: wire.args_count,
    ...(source && { source }),
    ...(description !== null && { description }),
  }
}

function known({
  name,
  owner,
  address,
  content_hash,
}: Pick<EntitiesAnswer['connectors'][number], 'name' | 'owner' | 'address' | 'content_hash'>) {
  return {
    name,
    contentHash: content_hash as Hash,
    owner: `0x${owner}` as Address,
    address: address === '0x0' ? undefined : (address as Address),
  }
}
