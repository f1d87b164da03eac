import { answerPicture } from '#lib/views/answer-picture.ts'
import { PICTURE_KINDS, pictureOf } from '#lib/views/pictures.ts'

/** `?size=tile` is the small one; of a World, the preview that its author stored. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ kind: string; file: string }> },
): Promise<Response> {
  const { kind, file } = await params
  const known = PICTURE_KINDS.find((each) => each === kind)
  const size = new URL(request.url).searchParams.get('size') === 'tile' ? 'tile' : 'card'
  return answerPicture(request, `the picture of ${kind} ${file}`, async (ctx) =>
    known === undefined || !file.endsWith('.png')
      ? undefined
      : pictureOf(ctx, known, file.slice(0, -'.png'.length), size),
  )
}

export const dynamic = 'force-dynamic'
