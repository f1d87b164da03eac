import { fileResponse, pieceFile } from '#lib/features/piece-file/index.ts'
import { answerFile } from '#lib/views/answer-picture.ts'

/** A piece as one file that plays without any site, also for pages and programs elsewhere. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ name: string }> },
): Promise<Response> {
  const { name } = await params
  return answerFile(request, `the file of ${name}`, 'text/html', async (ctx) =>
    fileResponse(request, name, await pieceFile(ctx, name)),
  )
}

export const dynamic = 'force-dynamic'
