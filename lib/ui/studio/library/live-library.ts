import type { ChainClient } from '../../../client/chain.ts'
import type { Address, EntityKind } from '../../../protocol/entity.ts'
import { definitionOfWire } from '../document/definition.ts'
import type { Found, Library, LibraryEntity, LibrarySource } from '../document/parts.ts'
import { createValue } from '../document/value.ts'

/** Names are often looked up while typed: only those still wanted after this time are fetched. */
const DEBOUNCE_MS = 200

/** A name that was free may be taken a moment later. */
const ABSENT_FOR_MS = 30_000

const RETRY_MS = 5_000
const MAX_CONCURRENT = 6

type Read = (kind: EntityKind, name: string) => Promise<LibraryEntity | 'absent'>

interface CacheEntry {
  readonly found: Exclude<Found, 'unknown'>
  readonly atMs: number
}

/** A library that fetches each name that is looked up, once, and notifies its subscribers. */
export interface LiveLibrary extends Library, LibrarySource {
  /** Refetches a name, for instance after publishing it. */
  refresh(kind: EntityKind, name: string): void
  /** Starts fetching; returns a function that stops. Until then every name is unknown. */
  start(): () => void
}

export function createLiveLibrary(read: Read): LiveLibrary {
  const cache = new Map<string, CacheEntry>()
  const wanted = new Map<string, readonly [EntityKind, string]>()
  const inFlight = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = true

  const schedule = (afterMs: number) => {
    if (!stopped) timer ??= setTimeout(fetchWanted, afterMs)
  }

  const fetchWanted = () => {
    timer = undefined
    for (const [key, [kind, name]] of wanted) {
      if (inFlight.size >= MAX_CONCURRENT) break
      wanted.delete(key)
      inFlight.add(key)
      read(kind, name).then(
        (found) => {
          inFlight.delete(key)
          cache.set(key, { found, atMs: Date.now() })
          if (!stopped) current.set({ find })
          if (wanted.size > 0) schedule(0)
        },
        () => {
          // Still unknown: retried.
          inFlight.delete(key)
          wanted.set(key, [kind, name])
          schedule(RETRY_MS)
        },
      )
    }
  }

  const find: Library['find'] = (kind, name) => {
    const key = `${kind}/${name}`
    const known = cache.get(key)
    const stale = known?.found === 'absent' && Date.now() - known.atMs > ABSENT_FOR_MS
    if ((known === undefined || stale) && !inFlight.has(key)) {
      wanted.set(key, [kind, name])
      schedule(DEBOUNCE_MS)
    }
    return known?.found ?? 'unknown'
  }

  const current = createValue<Library>({ find })

  return {
    find,
    subscribe: current.subscribe,
    snapshot: current.get,
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

/**
 * Fetches one entity from the chain API.
 *
 * @throws {Error} when the server is unreachable or fails.
 */
export async function readEntity(
  chain: ChainClient,
  kind: EntityKind,
  name: string,
): Promise<LibraryEntity | 'absent'> {
  const params = { params: { path: { name } } }
  if (kind === 'connector') {
    const { data, response } = await chain.GET('/connector/{name}', params)
    if (data === undefined) return absentOrUnknown(response)
    return {
      kind,
      ...known(data),
      definition: definitionOfWire(data),
      formatHash: `0x${data.format_hash}`,
    }
  }
  const { data, response } =
    kind === 'transformation'
      ? await chain.GET('/transformation/{name}', params)
      : await chain.GET('/condition/{name}', params)
  if (data === undefined) return absentOrUnknown(response)
  return { kind, ...known(data), argsCount: data.args_count }
}

function absentOrUnknown(response: Response): 'absent' {
  if (response.status === 404) return 'absent'
  throw new Error(`The server answered ${response.status}`)
}

function known({ name, owner, address }: { name: string; owner: string; address: string }) {
  return {
    name,
    owner: `0x${owner}` as Address,
    address: address === '0x0' ? undefined : (address as Address),
  }
}
