import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { followChildren, killGroup } from './child.ts'
import type { DataFolder } from './data-folder.ts'
import { readJson, writeJson } from './files.ts'
import type { Progress } from './progress.ts'

/** PostgreSQL cuts connections on SIGINT and waits for them on SIGTERM. */
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
  // The addresses of an earlier run are stale from here on.
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

const processSchema = z.object({
  name: z.string(),
  pid: z.number().int().positive(),
  /** Distinguishes a process from a later one with the same PID. */
  startedAt: z.string(),
})

const runSchema = z.object({ starter: processSchema, children: z.array(processSchema) })

type KnownProcess = z.infer<typeof processSchema>

/**
 * Stores the processes of this run on disk, so that the next start can clean up after a crash.
 * @returns A function that removes the file after an orderly stop.
 */
export function keepRunFile(path: string): () => void {
  const children = new Map<number, KnownProcess>()
  const starter = { name: 'starter', pid: process.pid, startedAt: startTime(process.pid) ?? '' }
  let open = true
  const write = () => {
    if (open) writeJson(path, { starter, children: [...children.values()] })
  }
  write()
  followChildren({
    started(name, pid) {
      children.set(pid, { name, pid, startedAt: startTime(pid) ?? '' })
      write()
    },
    ended(pid) {
      children.delete(pid)
      write()
    },
  })
  return () => {
    open = false
    rmSync(path, { force: true })
  }
}

/** Processes an earlier starter left behind when it was killed; empty after an orderly stop. */
function leftovers(path: string): { starter: number | undefined; children: readonly KnownProcess[] } {
  const parsed = runSchema.safeParse(readJson(path))
  if (!parsed.success) return { starter: undefined, children: [] }
  const { starter, children } = parsed.data
  return {
    starter: starter.pid !== process.pid && isSame(starter) ? starter.pid : undefined,
    children: children.filter(isSame),
  }
}

/** Sends `signal` to a process of an earlier run and, after the timeout, kills its group. */
async function endLeftover(leftover: KnownProcess, signal: NodeJS.Signals, timeoutMs = 3000): Promise<void> {
  if (!isSame(leftover)) return
  try {
    process.kill(leftover.pid, signal)
  } catch {
    return
  }
  const deadline = Date.now() + timeoutMs
  while (isSame(leftover) && Date.now() < deadline) await sleep(50)
  if (!isSame(leftover)) return
  killGroup(leftover.pid)
  while (isSame(leftover) && Date.now() < deadline + 2000) await sleep(50)
}

function isSame(leftover: KnownProcess): boolean {
  return leftover.startedAt !== '' && startTime(leftover.pid) === leftover.startedAt
}

/** Text that differs between two processes of one number; undefined when there is no such process. */
function startTime(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      // The name in parentheses may hold blanks and parentheses itself.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const [state] = fields
      return state === 'Z' ? undefined : fields[19]
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined
  } catch {
    return undefined
  }
}
