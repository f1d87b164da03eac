import { guardPath, withoutGuard } from '#lib/compute/bundle/lift-inline-scripts.ts'
import { isPage, isText } from '#lib/compute/bundle/mime.ts'
import type { Context } from '#lib/core/context/context.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { listFiles } from './get-world.ts'
import { findWorldFile, openFile } from './serve-file.ts'
import { isPreviewId } from './world.ts'

export interface SourceFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Whether it can be read and edited as text. */
  readonly text: boolean
}

/** The files of a World as its author edits them, by path: without the guards that an upload adds to pages. */
export async function listSource(ctx: Pick<Context, 'db'>, worldId: string): Promise<readonly SourceFile[]> {
  const files = await listFiles(ctx, worldId)
  const guards = new Set(files.filter(({ path }) => isPage(path)).map(({ path }) => guardPath(path)))
  return files
    .filter(({ path }) => !guards.has(path))
    .map(({ path, size }) => ({ path, size, text: isText(path) }))
}

/**
 * The bytes of one file as its author edits it: no prelude, no guard.
 *
 * @throws Failure('not_found') for an unknown or deleted World, a preview, and an unknown file.
 */
export async function readSource(
  ctx: Pick<Context, 'db' | 'blobs' | 'clock'>,
  worldId: string,
  path: string,
): Promise<ReadableStream<Uint8Array>> {
  const file = isPreviewId(worldId) ? undefined : await findWorldFile(ctx, worldId, path)
  if (file === undefined) throw new Failure('not_found', 'No such file')
  const stream = await openFile(ctx.blobs, file, new Uint8Array(0), { start: 0, end: file.size })
  if (!isPage(file.path)) return stream
  const html = withoutGuard(await new Response(stream).text(), file.path)
  return new Blob([html]).stream()
}
