import type { Context } from '#lib/core/context/context.ts'
import { getWorldBySlug } from '#lib/core/worlds/get-world.ts'
import { listSource, readSource, type SourceFile } from '#lib/core/worlds/world-source.ts'
import { undefinedOn } from './expected-failures.ts'

/** The source of a World, file by file. */
export interface WorldSourceView {
  readonly id: string
  readonly slug: string
  readonly name: string
  /** Address of its account. */
  readonly owner: string
  /** By path. */
  readonly files: readonly SourceFile[]
}

/** Undefined for an unknown slug. @throws What the database throws when it cannot be read. */
export async function worldSourceView(ctx: Context, slug: string): Promise<WorldSourceView | undefined> {
  const world = await getWorldBySlug(ctx, slug).catch(undefinedOn('not_found'))
  if (world === undefined) return undefined
  const { id, owner, manifest } = world
  const files = await listSource(ctx, id)
  return { id, slug, name: manifest.name, owner, files }
}

/** One file of it; undefined for an unknown World or file. @throws What the stores throw when they cannot be read. */
export async function worldSourceFile(
  ctx: Context,
  slug: string,
  path: string,
): Promise<ReadableStream<Uint8Array> | undefined> {
  const world = await getWorldBySlug(ctx, slug).catch(undefinedOn('not_found'))
  return world && readSource(ctx, world.id, path).catch(undefinedOn('not_found'))
}
