import { deliverWebhooks } from '#lib/features/webhooks/deliver.ts'
import { createLog } from '#lib/platform/log/create-log.ts'

/*
 * A deliverer in a separate process, to be killed: `node test/features/webhooks/deliver-process.ts <database url>`.
 */
const [databaseUrl] = process.argv.slice(2)
if (databaseUrl === undefined) throw new Error('Usage: <database url>')
await deliverWebhooks(
  { config: { databaseUrl, webhooksAllowLoopback: true }, log: createLog({ level: 'warn', secrets: [] }) },
  new AbortController().signal,
  { pollMs: 50 },
)
