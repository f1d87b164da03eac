import { parseArgs } from 'node:util'
import { setSuspended } from '../lib/people/social/account-status.ts'
import { checksumAddress, parseAddress } from '../lib/protocol/address.ts'
import { runCommand } from './stack/command.ts'
import { openRunningDatabase } from './stack/running.ts'

await runCommand(async () => {
  const { lift, address } = readArguments()
  if (address === undefined) throw new Error('Name an account: npm run user:suspend -- [--lift] 0x…')
  const db = openRunningDatabase()
  try {
    await setSuspended({ db, clock: () => new Date() }, { address, suspended: !lift })
    console.log(
      lift
        ? `${checksumAddress(address)} may sign in again.`
        : `${checksumAddress(address)} is suspended: all sessions have been ended, and sign-in is blocked.`,
    )
  } finally {
    await db.close()
  }
})

/** `--lift` may stand anywhere: taken as a second word, it would suspend the account instead. */
function readArguments(): { lift: boolean; address: ReturnType<typeof parseAddress> } {
  try {
    const { values, positionals } = parseArgs({
      options: { lift: { type: 'boolean', default: false } },
      allowPositionals: true,
    })
    const [only = ''] = positionals
    return { lift: values.lift, address: positionals.length === 1 ? parseAddress(only) : undefined }
  } catch {
    return { lift: false, address: undefined }
  }
}
