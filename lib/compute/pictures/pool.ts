import { hash } from 'node:crypto'
import { ByteLru } from '#lib/platform/cache/byte-lru.ts'
import type { UsageLedger } from '#lib/platform/limits/usage-ledger.ts'
import { overloaded } from '#lib/protocol/overload.ts'
import { BoundedPool, PoolLimit } from '../threads/bounded-pool.ts'
import type { PictureTask } from './picture-thread.ts'
import type { PictureScene } from './scene.ts'

/** Draws link previews and tiles. */
export interface Pictures {
  /** PNG of a scene; equal scenes are drawn once. @throws Failure('overloaded') */
  draw(scene: PictureScene): Promise<Uint8Array>
  close(): Promise<void>
}

/** About 200 cards and 1,500 tiles. */
const CACHE_BYTES = 32 * 1024 * 1024
/** A page asks for thirty tiles at once. */
const LIMITS = { threads: 1, maxQueue: 128, timeoutMs: 30_000, heapLimitMb: 64 }

/** Pictures drawn on a thread, cached by what they show. */
export function createPicturePool(options: {
  readonly niceness?: number
  readonly ledger?: UsageLedger
}): Pictures {
  const pool = new BoundedPool<PictureTask, Uint8Array>({
    ...LIMITS,
    ...options,
    worker: 'lib/compute/pictures/picture-thread.ts',
    overload: 'pictures',
  })
  const cache = new ByteLru<string, Uint8Array>(CACHE_BYTES)
  return {
    async draw(scene) {
      const key = hash('sha256', JSON.stringify(scene), 'base64url')
      const image = cache.get(key)
      if (image !== undefined) return image
      try {
        const png = await pool.run((started) => ({ scene, started }))
        cache.set(key, png, png.byteLength)
        return png
      } catch (error) {
        throw error instanceof PoolLimit ? overloaded('pictures') : error
      }
    },
    close: () => pool.close(),
  }
}
