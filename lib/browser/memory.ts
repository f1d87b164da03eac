/** Storage of a browser, by key. */
export interface Memory {
  read(key: string): string | undefined
  write(key: string, value: string | undefined): void
}

/** A no-op while the storage is unavailable or full. */
function memoryOf(storage: () => Storage): Memory {
  return {
    read(key) {
      try {
        return storage().getItem(key) ?? undefined
      } catch {
        return undefined
      }
    },
    write(key, value) {
      try {
        if (value === undefined) storage().removeItem(key)
        else storage().setItem(key, value)
      } catch {
        // See above.
      }
    },
  }
}

export const browserMemory = memoryOf(() => localStorage)
/** Storage of this tab, which no other site can write. */
export const tabMemory = memoryOf(() => sessionStorage)
