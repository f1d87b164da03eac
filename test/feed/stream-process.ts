import { startStreamSite } from './stream-site.ts'

/*
 * The stream in a separate process, to be killed: `node test/feed/stream-process.ts <database url> <port>`.
 */
const [databaseUrl, port] = process.argv.slice(2)
if (databaseUrl === undefined || port === undefined) throw new Error('Usage: <database url> <port>')
await startStreamSite(databaseUrl, { port: Number(port) })
