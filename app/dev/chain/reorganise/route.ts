import { counted } from '#lib/browser/format.ts'
import { reorganise } from '#lib/features/dev-chain/dev-chain.ts'
import { handleDevForm, wholeNumber } from '../handle.ts'

export const dynamic = 'force-dynamic'

export function POST(request: Request): Promise<Response> {
  return handleDevForm(request, async (_ctx, client, form) => {
    const depth = wholeNumber(form, 'depth')
    const keepTransactions = form.get('keep') === '1'
    await reorganise(client, { depth, keepTransactions })
    const blocks = depth === 1 ? 'block' : counted(depth, 'block')
    return keepTransactions
      ? `Replaced the newest ${blocks}, with the same transactions mined again.`
      : `Replaced the newest ${blocks}, without the transactions.`
  })
}
