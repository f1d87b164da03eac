import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DataFolder } from './folder.ts'
import type { Progress } from './progress.ts'
import { endLeftover, leftovers } from './run-file.ts'

/** How each part likes to be asked: PostgreSQL cuts connections on SIGINT and waits for them on SIGTERM. */
const SIGNALS: Readonly<Record<string, NodeJS.Signals>> = { database: 'SIGINT' }

/**
 * Clears what an earlier run left behind when it was killed.
 * @throws Error when that run is still going: two must not share one data folder.
 */
export async function recover(folder: DataFolder, progress: Progress): Promise<void> {
  const { starter, children } = leftovers(folder.run)
  if (starter !== undefined) {
    throw new Error(
      `Weft is already running in this folder (process ${starter}). Stop it first, or use another clone.`,
    )
  }
  // From here on nobody is at the addresses an earlier run wrote down.
  rmSync(folder.endpoints, { force: true })
  if (children.length > 0) {
    await progress.step(`Ending ${children.length} processes of an interrupted run`, async () => {
      const first = children.filter((child) => child.name !== 'database')
      await Promise.all(first.map((child) => endLeftover(child, SIGNALS[child.name] ?? 'SIGTERM', 1500)))
      const databases = children.filter((child) => child.name === 'database')
      await Promise.all(databases.map((child) => endLeftover(child, 'SIGINT')))
    })
  }
  await clearStalePostmaster(folder.postgres)
}

/**
 * PostgreSQL refuses to start while `postmaster.pid` names a living process, and process numbers are reused: after
 * a restart of the machine or container any program may have it.
 */
async function clearStalePostmaster(dataDir: string): Promise<void> {
  const file = join(dataDir, 'postmaster.pid')
  if (!existsSync(file)) return
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  if (!Number.isInteger(pid) || pid <= 0) return rmSync(file, { force: true })
  if (isPostgresOf(pid, dataDir)) {
    process.kill(pid, 'SIGINT')
    for (let i = 0; i < 100 && isPostgresOf(pid, dataDir); i++) await sleep(50)
    return
  }
  rmSync(file, { force: true })
}

function isPostgresOf(pid: number, dataDir: string): boolean {
  return commandLine(pid).includes(realpathSync(dataDir))
}

function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}
