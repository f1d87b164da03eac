import { mineBlocks } from '../../../../lib/dev-chain/mine.ts'
import { counted } from '../../../../lib/ui/format.ts'
import { handleDevForm, wholeNumber } from '../handle.ts'

export const dynamic = 'force-dynamic'

export function POST(request: Request): Promise<Response> {
  return handleDevForm(request, async (_ctx, client, form) => {
    const blocks = wholeNumber(form, 'blocks')
    await mineBlocks(client, blocks)
    return `Mined ${counted(blocks, 'block')}.`
  })
}
