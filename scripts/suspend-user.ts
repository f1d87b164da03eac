import { parseArgs } from 'node:util'
import { readSettings } from '../lib/config.ts'
import { createDatabase } from '../lib/db/client.ts'
import { checksumAddress, parseAddress } from '../lib/domain/address.ts'
import { setSuspended } from '../lib/social/set-suspended.ts'
import { completeEnvironment } from './stack/running.ts'

const { lift, address } = readArguments()
if (address === undefined) {
  console.error('Name an account: npm run user:suspend -- [--lift] 0x…')
  process.exit(1)
}
const { databaseUrl } = readSettings(completeEnvironment(process.env))
if (!databaseUrl) {
  console.error(
    'Start the network with `npm start`, or let DATABASE_URL name the database that holds the users.',
  )
  process.exit(1)
}
const db = createDatabase(databaseUrl, { max: 1 })
try {
  await setSuspended({ db, clock: () => new Date() }, { address, suspended: !lift })
  console.log(
    lift
      ? `${checksumAddress(address)} may sign in again.`
      : `${checksumAddress(address)} is suspended: every session has ended, and no new one begins.`,
  )
} finally {
  await db.close()
}

/** The flag counts wherever it stands: read as a mere second word it would have suspended whom it was to let in. */
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
