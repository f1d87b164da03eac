import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { createDatabase } from '#lib/platform/db/client.ts'
import { startChild, whenReady } from './child.ts'
import { giveTo, postgresUser } from './data-location.ts'
import { anyFreePort } from './ports.ts'

/** Where Debian's package puts it. */
export const PGBOUNCER = '/usr/sbin/pgbouncer'

interface PgBouncerOptions {
  /** URL of the database behind it. */
  readonly target: string
  /** Connections to that database at most. */
  readonly poolSize: number
}

export interface PgBouncer {
  /** Marked for `createDatabase`. */
  readonly url: string
  /** Connections of clients at this moment. */
  clients(): Promise<number>
  close(): Promise<void>
}

/**
 * Starts PgBouncer in transaction mode before one database.
 *
 * @throws Error with the way to install it where it is missing.
 */
export async function startPgBouncer({ target, poolSize }: PgBouncerOptions): Promise<PgBouncer> {
  if (!existsSync(PGBOUNCER)) {
    throw new Error(
      `PgBouncer is not at ${PGBOUNCER}: install it with \`apt-get update && apt-get install -y pgbouncer\``,
    )
  }
  const folder = mkdtempSync(join(tmpdir(), 'weft-pgbouncer-'))
  const { hostname, port, pathname, username, password } = new URL(target)
  const listenPort = await anyFreePort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    [
      '[databases]',
      `${pathname.slice(1)} = host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${listenPort}`,
      'unix_socket_dir =',
      'auth_type = any',
      `admin_users = ${username}`,
      'pool_mode = transaction',
      `default_pool_size = ${poolSize}`,
      'max_client_conn = 1000',
      'log_connections = 0',
      'log_disconnections = 0',
      '',
    ].join('\n'),
  )
  // It refuses to run as root.
  const user = postgresUser()
  if (user !== undefined) giveTo(folder, user)
  const child = await startChild(PGBOUNCER, [file], { name: 'pgbouncer', ...user })
  const url = new URL(target)
  url.port = String(listenPort)
  url.searchParams.set('pgbouncer', 'true')
  const answers = async () => {
    const db = createDatabase(url.href, { max: 1 })
    await db.sql`select 1`.finally(() => db.close())
  }
  await whenReady(child, { subject: 'PgBouncer', deadline: Date.now() + 30_000, intervalMs: 50 }, answers)
  const console = new URL(url)
  console.pathname = '/pgbouncer'
  console.search = ''
  // Its console knows the simple protocol only, and no types.
  const admin = postgres(console.href, { max: 1, fetch_types: false, onnotice: () => {} })
  return {
    url: url.href,
    clients: async () => (await admin.unsafe('show clients').simple()).length - 1,
    close: async () => {
      await admin.end({ timeout: 1 })
      await child.stop('SIGTERM', 3000)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
