import { userInfo } from 'node:os'
import { setSuspended } from '#lib/core/people/account-status.ts'
import { checksumAddress, parseAddress } from '#lib/protocol/address.ts'
import { runOnDatabase } from './stack/running.ts'

const USAGE = 'Name an account: npm run user:suspend -- 0x… [--because WORDS] [--by NAME] [--lift]'

// `--lift` may stand anywhere: taken as a second word, it would suspend the account instead.
const OPTIONS = {
  lift: { type: 'boolean', default: false },
  because: { type: 'string', default: '' },
  by: { type: 'string' },
} as const

await runOnDatabase(USAGE, OPTIONS, async (ctx, { values: { lift, because, by }, positionals }) => {
  const address = positionals.length === 1 ? parseAddress(positionals[0] ?? '') : undefined
  if (address === undefined) throw new Error(USAGE)
  await setSuspended(ctx, {
    address,
    suspended: !lift,
    operator: (by ?? userInfo().username).slice(0, 200),
    reason: because.slice(0, 1000),
  })
  console.log(
    lift
      ? `${checksumAddress(address)} may sign in again.`
      : `${checksumAddress(address)} is suspended: all sessions have been ended, and sign-in is blocked.`,
  )
})
