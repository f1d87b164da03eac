import { fundAccount } from '#lib/features/dev-chain/dev-chain.ts'
import { handleDevForm } from '../handle.ts'

export const dynamic = 'force-dynamic'

export function POST(request: Request): Promise<Response> {
  return handleDevForm(request, async (_ctx, client, form) => {
    const account = form.get('account')
    await fundAccount(client, typeof account === 'string' ? account : '')
    return 'The account holds enough for many publications.'
  })
}
