import { Failure } from '../domain/failure.ts'
import { createRoom } from './room.ts'
import { requestsUnderWay } from './under-way.ts'

/** Lets a bounded number of requests in at a time. */
export interface Gate {
  /**
   * Runs `work` inside the gate.
   *
   * @param key Who it is for; one key may take a part of the gate only.
   * @throws Failure('overloaded') at once when the gate is full.
   */
  pass<T>(work: () => Promise<T>, key?: string): Promise<T>
}

export interface GateOptions {
  readonly limit: number
  /** Of one key; as many as of all unless said. */
  readonly limitOfKey?: number
  /** What is said to those who are turned away. */
  readonly message: string
  /** Tells whether there is more to do already than what is inside. */
  readonly isFull?: () => boolean
}

/** A part of what one server works on at a time is what one client may have of it. */
const CLIENTS_SHARE = 4

/**
 * Bounds the requests in work: what is beyond could only wait, and make everybody wait. Turns away as well while more
 * than as many wait for anything at all, so that what is answered from memory is not kept waiting by what is not.
 *
 * @param underWay How many requests wait.
 */
export function createWorkGate(limit: number, underWay = requestsUnderWay): Gate {
  return createGate({
    limit,
    isFull: () => underWay() > limit,
    limitOfKey: Math.max(1, Math.ceil(limit / CLIENTS_SHARE)),
    message: 'The server is busy; try again shortly',
  })
}

export function createGate({ limit, limitOfKey = limit, message, isFull }: GateOptions): Gate {
  const room = createRoom(limitOfKey)
  let inside = 0
  return {
    pass: async (work, key) => {
      const leave = inside < limit && isFull?.() !== true ? room.enter(key) : undefined
      if (leave === undefined) throw new Failure('overloaded', message, { retryAfterSeconds: 1 })
      inside += 1
      try {
        return await work()
      } finally {
        inside -= 1
        leave()
      }
    },
  }
}
