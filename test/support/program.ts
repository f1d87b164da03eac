import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Endpoints } from '#scripts/stack/stack.ts'
import { ownPort } from './own-port.ts'
import { until } from './until.ts'

/** A running `npm start`. */
export interface Program {
  readonly process: ChildProcess
  readonly dataDir: string
  /** Everything printed so far. */
  output(): string
  /** Resolves when the program has printed that it is ready. */
  ready(): Promise<Endpoints>
  /**
   * Sends SIGTERM and returns the milliseconds until the process ended, and its exit code.
   *
   * @throws Error when anything that it printed or logged, in all of its processes, holds a secret.
   */
  stop(signal?: NodeJS.Signals): Promise<{ milliseconds: number; code: number | null }>
  /** Resolves when the program has ended, for any reason. */
  ended(): Promise<{ code: number | null }>
  /** Process number of a part: `site`, `worker`, `chain` or `database`. */
  pidOf(part: string): number
}

/** Makes the program choose its ports, as `npm start` does by default. */
export const NO_PORTS = { PORT: '', WORKER_PORT: '', CHAIN_PORT: '' }

let started = 0

/** Reserved ports, so that programs of two test files never collide; below the ephemeral range of the system. */
function ownPorts(): Record<string, string> {
  const first = 10_000 + (process.pid % 1000) * 20 + (started++ % 6) * 3
  return { PORT: String(first), WORKER_PORT: String(first + 1), CHAIN_PORT: String(first + 2) }
}

/** Starts the program over `dataDir` with the variables of `env` on top of a clean environment and unique ports. */
export function startProgram(dataDir: string, env: Readonly<Record<string, string>> = {}): Program {
  const child = spawn(process.execPath, ['scripts/start.ts'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      NODE_ENV: 'production',
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      WEFT_DATA_DIR: dataDir,
      // A machine busy with other tests takes its time over a harmless body.
      COMPILE_TIMEOUT_MS: '60000',
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
      const isReady = () => {
        if (child.exitCode !== null || child.signalCode !== null) throw new Error('it has ended')
        return existsSync(file) && output.includes('Weft is ready')
      }
      // The first start builds the site.
      await until('the program is ready', isReady, 900_000).catch((error: Error) => {
        throw new Error(`The program did not become ready: ${error.message}\n${output}`)
      })
      return JSON.parse(readFileSync(file, 'utf8')) as Endpoints
    },
    async stop(signal = 'SIGTERM') {
      const began = performance.now()
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      const code = await exited
      const milliseconds = performance.now() - began
      const secrets = secretsInLogs(dataDir, output)
      if (secrets.length > 0) throw new Error(`The program has printed secrets:\n${secrets.join('\n')}`)
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

/** A program over a new folder. */
export interface OwnProgram {
  readonly program: Program
  readonly endpoints: Endpoints
  /** Stops the program and deletes its folder. */
  close(): Promise<void>
}

export async function startOwnProgram(env: Readonly<Record<string, string>> = {}): Promise<OwnProgram> {
  const dataDir = mkdtempSync(join(tmpdir(), 'weft-program-'))
  const program = startProgram(dataDir, env)
  const close = async () => {
    await program.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    return { program, endpoints: await program.ready(), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Credentials that no log may contain. */
const SHAPES: Readonly<Record<string, RegExp>> = {
  'an access token': /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]+/,
  'a session token': /\b[0-9a-f]{64}\.[0-9a-f]{64}\b/,
  'a bearer token': /\bBearer\s+(?!\[token\])[\w-]{8,}/i,
  'a sealed cookie': /Fe26\.2\*/,
  'a session cookie': /weft-session=/,
  'a signature or a raw transaction': /\b0x[0-9a-fA-F]{130,}/,
}

/**
 * Searches all output and logs of a program.
 *
 * @param dataDir Its folder, whose own secrets are looked for as they are.
 * @returns Where something was found and what kind of thing, never the thing itself.
 */
function secretsInLogs(dataDir: string, output: string): string[] {
  const folder = join(dataDir, 'logs')
  const files = existsSync(folder) ? readdirSync(folder) : []
  const texts = [
    ['output', output] as const,
    ...files.map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const),
  ]
  const own = ownSecrets(dataDir)
  return texts.flatMap(([name, text]) =>
    text.split('\n').flatMap((line, index) => {
      const kinds = Object.keys(SHAPES).filter((kind) => SHAPES[kind]?.test(line))
      const secrets = Object.keys(own).filter((secret) => line.includes(own[secret] ?? ''))
      return [...kinds, ...secrets].map((kind) => `${name}:${index + 1} holds ${kind}`)
    }),
  )
}

function ownSecrets(dataDir: string): Readonly<Record<string, string>> {
  const file = join(dataDir, 'secrets.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {}
}

/** The built site under `next start`, without the site's own server. */
export interface NextSite {
  readonly origin: string
  stop(): Promise<void>
}

/** @param environment Configures it; nothing else of this process does. */
export async function startNextSite(environment: Readonly<Record<string, string>>): Promise<NextSite> {
  const port = String(await ownPort())
  const command = ['node_modules/next/dist/bin/next', 'start', '--port', port, '--hostname', '127.0.0.1']
  const child = spawn(process.execPath, command, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: port, ...environment },
  })
  const origin = `http://127.0.0.1:${port}`
  const answers = async () => {
    if (child.exitCode !== null) throw new Error('next start has ended')
    return fetch(`${origin}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  }
  await until('next start answers', answers, 180_000)
  return {
    origin,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
