import { ByteLru } from '../cache/byte-lru.ts'
import type { Context, Services } from '../context.ts'
import type { Database } from '../db/client.ts'
import type { Hash } from '../domain/entity.ts'
import { type Stamps, stampsNow } from './read-stamps.ts'

/*
 * What runs of the same connector would read and make again. All but names is known by content hashes, so nothing of it
 * is ever out of date; what was used longest ago gives way.
 */

const NAME_BYTES = 4 * 1024 * 1024
const ASKED_BYTES = 4 * 1024 * 1024
const RESULT_BYTES = 32 * 1024 * 1024

interface KnownName {
  readonly artifact: Hash
  /** How things were before it was looked up. */
  readonly stamps: Stamps
}

interface Memory {
  readonly names: ByteLru<string, KnownName>
  readonly asked: ByteLru<string, true>
  readonly results: ByteLru<string, Uint8Array<ArrayBuffer>>
}

/** Of each database, whose contents may differ. */
const memories = new WeakMap<Database, Memory>()

/**
 * The artifact that the name of a connector stands for now: looked up again only when the stamps say that names may
 * have changed since.
 *
 * @param lookUp What it stands for; its failures are not remembered.
 */
export async function rememberedName(
  ctx: Pick<Services, 'db'>,
  name: string,
  lookUp: () => Promise<Hash>,
): Promise<Hash> {
  const { names } = memoryOf(ctx.db)
  const stamps = await stampsNow(ctx)
  const known = names.get(name)
  if (known?.stamps.drafts === stamps.drafts && known.stamps.entities === stamps.entities)
    return known.artifact
  const artifact = await lookUp()
  names.set(name, { artifact, stamps }, 500 + 2 * name.length)
  return artifact
}

/** JSON of results, by what was run, and which runs were made at least once. */
export function resultMemory({ db }: Pick<Context, 'db'>): Pick<Memory, 'asked' | 'results'> {
  return memoryOf(db)
}

function memoryOf(db: Database): Memory {
  let memory = memories.get(db)
  if (memory === undefined) {
    memory = {
      names: new ByteLru(NAME_BYTES),
      asked: new ByteLru(ASKED_BYTES),
      results: new ByteLru(RESULT_BYTES),
    }
    memories.set(db, memory)
  }
  return memory
}
