import { createHash } from 'node:crypto'
import type postgres from 'postgres'
import { type BuiltArtifact, type Leaf, withoutLeaves } from '#lib/protocol/artifact.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import { scalarLabels } from '#lib/protocol/format-hash.ts'

/** A pool, or a transaction. */
export type AnySql = postgres.Sql | postgres.TransactionSql

/** A name takes this much in a list of leaves, however long it is: the beginning of its SHA-256. */
const KEY_BYTES = 16
const RUN_BYTES = KEY_BYTES + 4
const MAX_RUN = 0x7fff

export function leafNameKey(name: string): Buffer {
  return createHash('sha256').update(name).digest().subarray(0, KEY_BYTES)
}

/**
 * Leaves as an artifact's row holds them: for consecutive dimensions of one connector the key of its name, the first
 * dimension and their number, both u16. What they are called is in `leaf_names`, once for all connectors above.
 */
export function encodeLeaves(leaves: readonly Leaf[]): Buffer {
  const keys = new Map<string, Buffer>()
  const runs: { readonly key: Buffer; readonly name: string; readonly first: number; count: number }[] = []
  for (const { connector: name, dimension } of leaves) {
    const last = runs.at(-1)
    if (last?.name === name && last.first + last.count === dimension && last.count < MAX_RUN) {
      last.count += 1
      continue
    }
    const key = keys.get(name) ?? leafNameKey(name)
    keys.set(name, key)
    runs.push({ key, name, first: dimension, count: 1 })
  }
  const bytes = Buffer.alloc(runs.length * RUN_BYTES)
  runs.forEach(({ key, first, count }, index) => {
    const at = index * RUN_BYTES
    bytes.set(key, at)
    bytes.writeUInt16BE(first, at + KEY_BYTES)
    bytes.writeUInt16BE(count, at + KEY_BYTES + 2)
  })
  return bytes
}

/**
 * Reads lists of leaves, by whatever key they come with. Equal leaves are one object, in all of them together.
 *
 * @throws Error when a name is not stored.
 */
export async function decodeLeaves<Key>(
  sql: AnySql,
  stored: readonly (readonly [Key, Uint8Array])[],
): Promise<ReadonlyMap<Key, readonly Leaf[]>> {
  const lists = stored.map(([key, leaves]) => [key, Buffer.from(leaves)] as const)
  const keys = new Set(lists.flatMap(([, bytes]) => [...keysOf(bytes)]))
  if (keys.size === 0) return new Map()
  const nameRows = await sql<{ key: string; name: string }[]>`
    select hex as key, name from unnest(${[...keys]}::text[]) hex join leaf_names on key = decode(hex, 'hex')`
  const names = new Map(nameRows.map(({ key, name }) => [key, name]))
  const shared = new Map<string, Leaf[]>()
  return new Map(lists.map(([key, bytes]) => [key, decode(bytes, names, shared)]))
}

/** The leaves of a stored connector. */
export async function loadLeaves(sql: AnySql, contentHash: Hash): Promise<readonly Leaf[]> {
  const [row] = await sql<{ leaves: Uint8Array | null }[]>`
    select leaves from artifacts where content_hash = ${contentHash}`
  if (!row?.leaves) return []
  return (await decodeLeaves(sql, [[contentHash, row.leaves]])).get(contentHash) ?? []
}

/** The labels of a connector's format, ascending. */
export async function storedLabels(sql: AnySql, contentHash: Hash): Promise<string[]> {
  return scalarLabels(await loadLeaves(sql, contentHash))
}

/** Bytes of labels stored with a format, which lists and searches read. */
const LABELS_BYTES = 16 * 1024

/** The labels that are stored with a format, and how many there are when those are not all. */
export function firstLabels(labels: readonly string[]): {
  readonly scalars: readonly string[]
  readonly scalarsCount: number | null
} {
  let bytes = 0
  const end = labels.findIndex((label) => {
    bytes += label.length + 4
    return bytes > LABELS_BYTES
  })
  if (end === -1) return { scalars: labels, scalarsCount: null }
  return { scalars: labels.slice(0, end), scalarsCount: labels.length }
}

function* keysOf(bytes: Buffer): Generator<string, void> {
  for (let at = 0; at < bytes.length; at += RUN_BYTES) yield bytes.toString('hex', at, at + KEY_BYTES)
}

/** @param shared Leaves that were made before, by the key of their connector and their dimension. */
function decode(
  bytes: Buffer,
  names: ReadonlyMap<string, string>,
  shared: Map<string, Leaf[]>,
): readonly Leaf[] {
  const leaves: Leaf[] = []
  for (let at = 0; at < bytes.length; at += RUN_BYTES) {
    const key = bytes.toString('hex', at, at + KEY_BYTES)
    const connector = names.get(key)
    if (connector === undefined) throw new Error(`The name of the leaves ${key} is not stored`)
    const own = shared.get(key) ?? []
    shared.set(key, own)
    const first = bytes.readUInt16BE(at + KEY_BYTES)
    const count = bytes.readUInt16BE(at + KEY_BYTES + 2)
    for (let dimension = first; dimension < first + count; dimension++) {
      const leaf = own[dimension] ?? { connector, dimension }
      own[dimension] = leaf
      leaves.push(leaf)
    }
  }
  return leaves
}

/** Stores an artifact under its content hash; one that is stored already stays as it is. */
export async function storeArtifact(sql: AnySql, built: BuiltArtifact): Promise<void> {
  const { contentHash, kind, name } = built
  const leaves = built.kind === 'connector' ? encodeLeaves(built.leaves) : null
  const declares = built.kind === 'connector' && built.leaves.some(({ connector }) => connector === name)
  await Promise.all([
    declares &&
      sql`insert into leaf_names (key, name) values (${leafNameKey(name)}, ${name}) on conflict do nothing`,
    sql`
      insert into artifacts (content_hash, kind, name, body, leaves)
      values (${contentHash}, ${kind}, ${name}, ${JSON.stringify(withoutLeaves(built))}::text::jsonb, ${leaves})
      on conflict do nothing`,
  ])
}
