import { type Overload, overloaded } from '#lib/protocol/overload.ts'

/** Bounds the bytes that one process holds for one purpose, and those of each client. */
export interface ByteBudget {
  /** @param client May reserve a quarter of the budget; undefined may reserve all of it. */
  reserve(client: string | undefined): Reservation
}

export interface Reservation {
  /** @throws {Failure} `overloaded` when the budget, or the client's part of it, has no room for these bytes. */
  add(bytes: number): void
  /** Releases all bytes; nothing is added afterwards. */
  release(): void
}

const CLIENT_SHARE = 1 / 4

/** @param overload What is thrown beyond `maxBytes`. */
export function createByteBudget(maxBytes: number, overload: Overload): ByteBudget {
  const perClient = new Map<string, number>()
  let reserved = 0
  return {
    reserve: (client) => {
      let own = 0
      const change = (bytes: number) => {
        own += bytes
        reserved += bytes
        if (client === undefined) return
        const all = (perClient.get(client) ?? 0) + bytes
        if (all > 0) perClient.set(client, all)
        else perClient.delete(client)
      }
      return {
        add: (bytes) => {
          const ofClient = client === undefined ? 0 : (perClient.get(client) ?? 0) + bytes
          if (reserved + bytes > maxBytes || ofClient > maxBytes * CLIENT_SHARE) throw overloaded(overload)
          change(bytes)
        },
        release: () => change(-own),
      }
    },
  }
}
