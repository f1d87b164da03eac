import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { followChildren, killGroup } from './child.ts'
import { readJson, writeJson } from './files.ts'

const processSchema = z.object({
  name: z.string(),
  pid: z.number().int().positive(),
  /** Tells a process from a later one that was given the same number. */
  startedAt: z.string(),
})

const runSchema = z.object({ starter: processSchema, children: z.array(processSchema) })

type KnownProcess = z.infer<typeof processSchema>

/**
 * Keeps the processes of this run on disk, so that the next start can clean up after a crash.
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
export function leftovers(path: string): { starter: number | undefined; children: readonly KnownProcess[] } {
  const parsed = runSchema.safeParse(readJson(path))
  if (!parsed.success) return { starter: undefined, children: [] }
  const { starter, children } = parsed.data
  return {
    starter: starter.pid !== process.pid && isSame(starter) ? starter.pid : undefined,
    children: children.filter(isSame),
  }
}

/** Asks a process of an earlier run to end, then insists. */
export async function endLeftover(
  known: KnownProcess,
  signal: NodeJS.Signals,
  patience = 3000,
): Promise<void> {
  if (!isSame(known)) return
  try {
    process.kill(known.pid, signal)
  } catch {
    return
  }
  const until = Date.now() + patience
  while (isSame(known) && Date.now() < until) await sleep(50)
  if (!isSame(known)) return
  killGroup(known.pid)
  while (isSame(known) && Date.now() < until + 2000) await sleep(50)
}

function isSame(known: KnownProcess): boolean {
  return known.startedAt !== '' && startTime(known.pid) === known.startedAt
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
