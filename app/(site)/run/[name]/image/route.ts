import { entityExists } from '#lib/core/entities/get-entity.ts'
import { readRunAddress } from '#lib/views/page-exists.ts'
import { pictureRead } from '#lib/views/picture-read.ts'
import { runScene } from '#lib/views/pictures.ts'
import { runResult } from '#lib/views/run-page.ts'

/** The picture of a run, for where its link is shared. */
export const { GET } = pictureRead('/run/{name}/image', async (ctx, { params: { name }, search }) => {
  const link = readRunAddress(name, search)
  return (await entityExists(ctx, 'connector', name))
    ? runScene(link, await runResult(ctx, link), 'card')
    : undefined
})
