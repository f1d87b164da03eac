import { counted } from '#lib/browser/format.ts'
import { mineBlocks } from '#lib/features/dev-chain/dev-chain.ts'
import { handleDevForm, wholeNumber } from '../handle.ts'

export const dynamic = 'force-dynamic'

export function POST(request: Request): Promise<Response> {
  return handleDevForm(request, async (_ctx, client, form) => {
    const blocks = wholeNumber(form, 'blocks')
    await mineBlocks(client, blocks)
    return `Mined ${counted(blocks, 'block')}.`
  })
}
