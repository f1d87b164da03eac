import '#lib/browser/zod-without-eval.ts'
import { type DBSchema, openDB } from 'idb'
import * as z from 'zod/mini'
import type { Hex } from '#lib/protocol/entity.ts'

/** A compiled body; `key` is its kind and source. */
export interface StoredBody {
  readonly key: string
  readonly argsCount: number
  readonly runtime: Hex
}

/** Compiled bodies of earlier pages, so that one's own work runs without a connection. */
export interface BodyStorage {
  /** The earliest used first. */
  load(): Promise<readonly StoredBody[]>
  /** Stores bodies, and drops the earliest used beyond the limit. */
  save(bodies: readonly StoredBody[]): void
}

interface BodiesSchema extends DBSchema {
  bodies: { key: string; value: StoredBody & { usedAtMs: number }; indexes: { used: number } }
}

const MAX_STORED = 500

const bodySchema = z.object({
  key: z.string(),
  argsCount: z.int().check(z.gte(0)),
  runtime: z.templateLiteral(['0x', z.string().check(z.regex(/^(?:[a-f0-9]{2})*$/))]),
})

/** Storage of this browser; empty where there is none. */
export function browserBodyStorage(): BodyStorage {
  // A browser whose storage is switched off throws at once.
  const open = async () =>
    openDB<BodiesSchema>('weft-compiled', 1, {
      upgrade(database) {
        database.createObjectStore('bodies', { keyPath: 'key' }).createIndex('used', 'usedAtMs')
      },
      blocking: (_from, _to, event) => (event.target as IDBDatabase).close(),
    })
  const opening = open()
  opening.catch(() => {})
  return {
    async load() {
      try {
        const all = await (await opening).getAllFromIndex('bodies', 'used')
        return all.flatMap((each) => {
          const read = bodySchema.safeParse(each)
          return read.success ? [read.data] : []
        })
      } catch {
        return []
      }
    },
    save(bodies) {
      void opening
        .then(async (database) => {
          const transaction = database.transaction('bodies', 'readwrite')
          for (const body of bodies) await transaction.store.put({ ...body, usedAtMs: Date.now() })
          let excess = (await transaction.store.count()) - MAX_STORED
          const used = transaction.store.index('used')
          for (let at = await used.openCursor(); at !== null && excess > 0; at = await at.continue()) {
            excess--
            await at.delete()
          }
          await transaction.done
        })
        .catch(() => {})
    },
  }
}
