import { Failure } from '../domain/failure.ts'

/** Bounds the bytes of bodies that one process holds at a time, whoever sends them however slowly. */
export interface BodyRoom {
  /** @param key Who sends the body; one key may take a part of the room only, undefined as much as there is. */
  open(key: string | undefined): BodyPlace
}

/** What one body takes. */
export interface BodyPlace {
  /** @throws Failure('overloaded') when there is no room for so many more bytes. */
  take(bytes: number): void
  /** Gives all of it back; nothing is taken afterwards. */
  leave(): void
}

/** A part of the room is what one client may have of it. */
const CLIENTS_SHARE = 4

export function createBodyRoom(limit: number): BodyRoom {
  const heldOf = new Map<string, number>()
  let held = 0
  return {
    open: (key) => {
      let own = 0
      const isFull = (bytes: number) =>
        held + bytes > limit || (key !== undefined && (heldOf.get(key) ?? 0) + bytes > limit / CLIENTS_SHARE)
      const add = (bytes: number) => {
        own += bytes
        held += bytes
        if (key === undefined) return
        const all = (heldOf.get(key) ?? 0) + bytes
        if (all > 0) heldOf.set(key, all)
        else heldOf.delete(key)
      }
      return {
        take: (bytes) => {
          if (isFull(bytes)) {
            const message = 'The server holds as many uploads as it can; try again shortly'
            throw new Failure('overloaded', message, { retryAfterSeconds: 2 })
          }
          add(bytes)
        },
        leave: () => add(-own),
      }
    },
  }
}
