import { reorganise } from '../../../../lib/dev-chain/reorganise.ts'
import { counted } from '../../../../lib/ui/format.ts'
import { handleDevForm, wholeNumber } from '../handle.ts'

export const dynamic = 'force-dynamic'

export function POST(request: Request): Promise<Response> {
  return handleDevForm(request, async (_ctx, client, form) => {
    const depth = wholeNumber(form, 'depth')
    const keepTransactions = form.get('keep') === '1'
    await reorganise(client, { depth, keepTransactions })
    return keepTransactions
      ? `Replaced the newest ${counted(depth, 'block')}; what they held is mined again.`
      : `Replaced the newest ${counted(depth, 'block')} by empty ones.`
  })
}
