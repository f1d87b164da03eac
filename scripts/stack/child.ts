import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

export interface ChildOptions extends SpawnOptions {
  /** Name of the process, in the run file and in messages. */
  readonly name: string
  /** Called for every line of either stream. */
  readonly onLine?: (line: string) => void
}

/** A child process in a process group of its own, so that stopping it stops its descendants. */
export interface Child {
  readonly pid: number
  /** Settles when the process ended; `code` is null after a signal. */
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** The last lines it printed, for error reports. */
  tail(): string
  /** Sends `signal`, and SIGKILL to the whole group when it has not ended after `timeoutMs`. */
  stop(signal?: NodeJS.Signals, timeoutMs?: number): Promise<void>
}

/** Notified of every child's start and end. */
export interface ChildListener {
  started(name: string, pid: number): void
  ended(pid: number): void
}

const TAIL_LINES = 30
const living = new Set<number>()
const listeners = new Set<ChildListener>()

export function followChildren(listener: ChildListener): void {
  listeners.add(listener)
}

/** Kills what is still running, for instance a part that was being started when the stop came. */
export function killChildren(): void {
  for (const pid of living) killGroup(pid)
}

/** @throws Error when the program cannot be started at all. */
export async function startChild(
  command: string,
  args: readonly string[],
  options: ChildOptions,
): Promise<Child> {
  const { name, onLine, ...spawnOptions } = options
  const lines: string[] = []
  const process = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...spawnOptions,
    // A terminal's Ctrl-C reaches the starter alone: it decides the order in which things stop.
    detached: true,
  })
  await new Promise<void>((resolve, reject) => {
    process.once('spawn', resolve)
    process.once('error', reject)
  })
  const pid = process.pid as number
  living.add(pid)
  for (const listener of listeners) listener.started(name, pid)
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    process.once('exit', (code, signal) => {
      living.delete(pid)
      // A killed PostgreSQL leaves processes that hold its memory, and with it the next one, for as long as their queries run.
      killGroup(pid)
      for (const listener of listeners) listener.ended(pid)
      resolve({ code, signal })
    })
  })
  for (const stream of [process.stdout, process.stderr]) {
    if (stream === null) continue
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      if (lines.length > TAIL_LINES) lines.shift()
      onLine?.(line)
    })
  }
  return {
    pid,
    exited,
    tail: () => lines.join('\n'),
    stop: (signal = 'SIGTERM', timeoutMs = 3000) => stop(process, exited, signal, timeoutMs),
  }
}

export interface ReadyOptions {
  /** Subject of the error's sentence, for instance `The site`. */
  readonly subject: string
  /** Milliseconds since 1970. */
  readonly deadline: number
  readonly intervalMs: number
}

/**
 * Repeats `attempt` until it succeeds.
 *
 * @throws Error with the child's last lines when it ends or the deadline passes first.
 */
export async function whenReady(
  child: Child,
  { subject, deadline, intervalMs }: ReadyOptions,
  attempt: () => Promise<unknown>,
): Promise<void> {
  let ended = false
  void child.exited.then(() => {
    ended = true
  })
  for (;;) {
    try {
      await attempt()
      return
    } catch (cause) {
      if (ended || Date.now() > deadline) {
        throw new Error(`${subject} did not come up:\n${child.tail()}`, { cause })
      }
      await sleep(intervalMs)
    }
  }
}

async function stop(
  process: ChildProcess,
  exited: Promise<unknown>,
  signal: NodeJS.Signals,
  timeoutMs: number,
): Promise<void> {
  if (process.exitCode === null && process.signalCode === null) {
    process.kill(signal)
    const timer = new AbortController()
    await Promise.race([exited, sleep(timeoutMs, undefined, { signal: timer.signal }).catch(() => {})])
    timer.abort()
  }
  killGroup(process.pid as number)
  await exited
}

/** Kills what is left of a process group; nothing happens when it is gone. */
export function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}
