import { readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** Milliseconds of the processor that a process has used so far; not known everywhere. */
export function cpuMs(pid: number | undefined): number | undefined {
  if (pid === undefined || process.platform !== 'linux') return undefined
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND
}

const ENOUGH_MS = 300
const MOST = 100

/**
 * Milliseconds of the processor that a process spends on one piece of work: what else the machine does hardly moves
 * them, while it moves the time on the clock.
 */
export async function cpuOf(
  pid: number,
  work: (turn: number) => Promise<unknown>,
): Promise<number | undefined> {
  const before = cpuMs(pid)
  if (before === undefined) return undefined
  for (let turn = 0; turn < MOST; turn++) {
    await work(turn)
    const spent = cpuMs(pid)! - before
    if (spent >= ENOUGH_MS || turn === MOST - 1) return spent / (turn + 1)
  }
}
