import { LISTING_PATH } from '#lib/compute/bundle/checked-bundle.ts'
import { type StoredFile, storedSize, storeFiles } from '#lib/compute/zip/store-files.ts'
import type { Context } from '#lib/core/context/context.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { CHUNK_BYTES, findWorldFile, openFile } from './serve-file.ts'
import { isBundleHash } from './world.ts'
import { findVersion, worldDeleted } from './world-versions.ts'

/** A bundle as its author uploaded it. */
export interface BundleDownload {
  /** Bytes. */
  readonly size: number
  /** Opens the ZIP; nothing but the listing is read before. */
  readonly open: () => ReadableStream<Uint8Array>
}

/**
 * Returns the ZIP of a bundle by its hash: the files as uploaded, without compression, in the order of the listing that
 * the hash is of. Every site that has the bundle returns the same bytes.
 *
 * @throws Failure('gone') for a bundle of a deleted World, Failure('not_found') for an unknown one, and for one that was
 *   published before sites stored the files of pages as uploaded.
 */
export async function downloadBundle(
  ctx: Pick<Context, 'db' | 'blobs' | 'clock'>,
  bundleHash: string,
): Promise<BundleDownload> {
  const files = await bundleFiles(ctx, bundleHash)
  return { size: storedSize(files), open: () => streamOf(storeFiles(files)) }
}

/** The files of a bundle as uploaded, in the order of its listing; none is read yet. @throws Failure as `downloadBundle` does */
export async function bundleFiles(
  ctx: Pick<Context, 'db' | 'blobs' | 'clock'>,
  bundleHash: string,
): Promise<StoredFile[]> {
  const listing = isBundleHash(bundleHash) ? await findWorldFile(ctx, bundleHash, LISTING_PATH) : undefined
  if (listing === undefined) {
    const version = await findVersion(ctx, bundleHash)
    if (version?.found === 'deleted') throw worldDeleted()
    throw new Failure('not_found', 'This site has no such bundle, or none of that it could return every byte')
  }
  const text = await new Response(await openFile(ctx.blobs, listing, NOTHING, whole(listing))).text()
  return text
    .split('\n')
    .slice(0, -1)
    .map((line): StoredFile => {
      const [name = '', size, hash = ''] = line.split('\0')
      const file = { hash, size: Number(size) }
      return { name, size: file.size, chunks: () => chunksOf(ctx, file) }
    })
}

function streamOf(parts: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await parts.return(undefined)
    },
  })
}

const NOTHING = new Uint8Array(0)

function whole({ size }: { readonly size: number }) {
  return { start: 0, end: size }
}

/** A file in parts that the storage reads one at a time. */
async function* chunksOf(
  { blobs }: Pick<Context, 'blobs'>,
  { hash, size }: { readonly hash: string; readonly size: number },
): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < size; start += CHUNK_BYTES) {
    const end = Math.min(start + CHUNK_BYTES, size)
    const bytes = await blobs.read(hash, { start, end })
    if (bytes?.byteLength !== end - start) throw new Error(`The file ${hash} of a bundle is not whole`)
    yield bytes
  }
}
