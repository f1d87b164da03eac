import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Endpoints } from '../../scripts/stack/stack.ts'
import { secretsInLogs } from './log-secrets.ts'

/** A running `npm start`. */
export interface Program {
  readonly process: ChildProcess
  readonly dataDir: string
  /** Everything printed so far. */
  output(): string
  /** Resolves when the program says that it is ready. */
  ready(): Promise<Endpoints>
  /**
   * Sends SIGTERM and gives the milliseconds until the process ended, and its exit code.
   *
   * @throws Error when anything that it printed or logged, in all of its processes, holds a secret.
   */
  stop(signal?: NodeJS.Signals): Promise<{ milliseconds: number; code: number | null }>
  /** Resolves when the program has ended, whoever ended it. */
  ended(): Promise<{ code: number | null }>
  /** Process number of a part: `site`, `worker`, `chain` or `database`. */
  pidOf(part: string): number
}

/** Has the program choose its ports itself, as when people start it. */
export const NO_PORTS = { PORT: '', WORKER_PORT: '', CHAIN_PORT: '' }

let started = 0

/** Nobody else's, so that programs of two test files never reach for the same; below those that the system hands out. */
function ownPorts(): Record<string, string> {
  const first = 10_000 + (process.pid % 1000) * 20 + (started++ % 6) * 3
  return { PORT: String(first), WORKER_PORT: String(first + 1), CHAIN_PORT: String(first + 2) }
}

/** Starts the program over `dataDir` with the variables of `env` on top of a clean environment and ports of its own. */
export function startProgram(dataDir: string, env: Readonly<Record<string, string>> = {}): Program {
  const child = spawn(process.execPath, ['scripts/start.ts'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      NODE_ENV: 'production',
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      WEFT_DATA_DIR: dataDir,
      ...ownPorts(),
      ...env,
    },
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return {
    process: child,
    dataDir,
    output: () => output,
    async ready() {
      const file = join(dataDir, 'endpoints.json')
      // The first start builds the site.
      const giveUp = Date.now() + 400_000
      while (!existsSync(file) || !output.includes('Weft is ready')) {
        if (child.exitCode !== null || child.signalCode !== null || Date.now() > giveUp) {
          throw new Error(`The program did not become ready:\n${output}`)
        }
        await sleep(100)
      }
      return JSON.parse(readFileSync(file, 'utf8')) as Endpoints
    },
    async stop(signal = 'SIGTERM') {
      const began = performance.now()
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      const code = await exited
      const milliseconds = performance.now() - began
      const secrets = secretsInLogs(dataDir, output)
      if (secrets.length > 0) throw new Error(`The program has told secrets:\n${secrets.join('\n')}`)
      return { milliseconds, code }
    },
    ended: async () => ({ code: await exited }),
    pidOf(part) {
      const run = JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8')) as {
        children: { name: string; pid: number }[]
      }
      const found = run.children.find((each) => each.name === part)
      if (!found) throw new Error(`No ${part} in ${JSON.stringify(run)}`)
      return found.pid
    },
  }
}
