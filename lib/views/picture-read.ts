import type { PictureScene } from '#lib/compute/pictures/scene.ts'
import type { Context } from '#lib/core/context/context.ts'
import { FILE, type SiteRequest, siteRead } from './site-read.ts'

/** `Cache-Control` of a picture without numbers, which may only have been too slow this time. */
const BARE_CACHE = 'public, max-age=10'

/** A picture that is stored elsewhere. */
export interface StoredPicture {
  /** Path, or an absolute address. */
  readonly storedAt: string
}

/** As `siteRead`, of a picture or of where it is stored. */
export function pictureRead<const Path extends `/${string}`>(
  path: Path,
  read: (ctx: Context, request: SiteRequest<Path>) => Promise<PictureScene | StoredPicture | undefined>,
) {
  const facts = { ...FILE, path, contentType: 'image/png', absent: 'There is no such picture' }
  return siteRead<Path>(facts, async (ctx, request) => {
    const scene = await read(ctx, request)
    if (scene === undefined) return undefined
    if ('storedAt' in scene) return { status: 302, headers: { Location: scene.storedAt } }
    const body = (await ctx.pictures.draw(scene)).slice()
    return scene.figure.kind === 'bare' ? { body, headers: { 'Cache-Control': BARE_CACHE } } : body
  })
}
