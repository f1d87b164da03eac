import { pictureRead } from '#lib/views/picture-read.ts'
import { PICTURE_KINDS, pictureOf } from '#lib/views/pictures.ts'

/** `?size=tile` is the small one; of a World, the preview that its author stored. */
export const { GET } = pictureRead('/pictures/{kind}/{file}', async (ctx, { params, search }) => {
  const { kind, file } = params
  const pictureKind = PICTURE_KINDS.find((each) => each === kind)
  if (pictureKind === undefined || !file.endsWith('.png')) return undefined
  const size = search.get('size') === 'tile' ? 'tile' : 'card'
  return pictureOf(ctx, pictureKind, file.slice(0, -'.png'.length), size)
})

export const dynamic = 'force-dynamic'
