/** Counts who is inside, by key. */
export interface Room {
  /**
   * @param key Undefined is let in always.
   * @returns What has to be called once on leaving; undefined when the key has no room left.
   */
  enter(key: string | undefined): (() => void) | undefined
}

/** @param most Of one key at a time. */
export function createRoom(most: number): Room {
  const inside = new Map<string, number>()
  return {
    enter: (key) => {
      if (key === undefined) return () => undefined
      const count = inside.get(key) ?? 0
      if (count >= most) return undefined
      inside.set(key, count + 1)
      let left = false
      return () => {
        if (left) return
        left = true
        const others = (inside.get(key) ?? 0) - 1
        if (others > 0) inside.set(key, others)
        else inside.delete(key)
      }
    },
  }
}
