import { spawn } from 'node:child_process'
import { anyFreePort } from '../../scripts/stack/ports.ts'
import type { FeedTables } from '../../test/feed/feed-tables.ts'
import { end, whenAnswering } from './program.ts'

/** What serves events to many readers: the built site, and the least that can. */
const SERVERS = {
  bare: { command: ['bench/bare-streams.ts'], stream: '/', ready: '/' },
  site: {
    command: ['scripts/site.ts', '--port'],
    stream: '/chain/feed/stream?since_seq=9000000000',
    ready: '/chain/version',
  },
} as const

export interface StreamServer {
  readonly port: number
  /** Path of the stream. */
  readonly path: string
  /** Sends every reader this many more deltas, stamped with the current time. */
  emit(deltas: number): Promise<void>
  close(): Promise<void>
}

/** @param feed of the database at `databaseUrl`: what becomes of its rows is what readers get. */
export async function startStreamServer(
  name: keyof typeof SERVERS,
  databaseUrl: string,
  feed: FeedTables,
): Promise<StreamServer> {
  const { command, stream: path, ready } = SERVERS[name]
  const port = await anyFreePort()
  const child = spawn(process.execPath, [...command, String(port)], {
    stdio: ['pipe', 'ignore', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      CHAIN_TOKEN_KEY: 'ab'.repeat(32),
      SESSION_KEY: 'ab'.repeat(32),
      LOG_LEVEL: 'error',
    },
  })
  await whenAnswering(`http://127.0.0.1:${port}${ready}`, child)
  return {
    port,
    path,
    emit: async (count) => {
      if (name === 'bare') child.stdin.write(`${JSON.stringify({ count, atMs: Date.now() })}\n`)
      else await feed.append(count)
    },
    close: () => end(child),
  }
}
