import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { devAccount } from '#scripts/stack/contracts.ts'
import { anyFreePort } from '#scripts/stack/ports.ts'
import type { Endpoints } from '#scripts/stack/stack.ts'
import { startProgram } from '#test/support/program.ts'
import { type HttpAnswer, type HttpClient, httpClient } from '../support/http-client.ts'

/** `npm start` of the built site with a new chain, database and example network. */
export interface BenchProgram {
  readonly endpoints: Endpoints
  readonly databaseUrl: string
  /** Process number of the site. */
  readonly pid: number
  /** A request of the chain API by an account with a token; anything but a success is thrown. */
  post(path: string, body: unknown): Promise<HttpAnswer>
  /** Returns the access token of that account. */
  token(): string
  /** Starts the same build with `next start`, as deployed without a custom server. @param chainRpc Of another node. */
  startNext(chainRpc?: string): Promise<NextServer>
  close(): Promise<void>
}

export interface NextServer {
  readonly origin: string
  readonly pid: number
  close(): Promise<void>
}

export async function startBenchProgram(databaseUrl: string): Promise<BenchProgram> {
  const dataDir = mkdtempSync(join(tmpdir(), 'weft-bench-'))
  const ports = {
    PORT: await anyFreePort(),
    CHAIN_PORT: await anyFreePort(),
    WORKER_PORT: await anyFreePort(),
  }
  const environment = {
    ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)])),
    DATABASE_URL: databaseUrl,
    CHAIN_TOKEN_KEY: 'ab'.repeat(32),
    SESSION_KEY: 'cd'.repeat(32),
    LOG_LEVEL: 'error',
    MAX_DRAFTS_PER_OWNER: '100000',
    // One account drafts faster here than a person may.
    RATE_CREATE: '0',
  }
  const program = startProgram(dataDir, environment)
  const endpoints = await program.ready()
  const client = httpClient(`http://127.0.0.1:${ports.PORT}`)
  let token = await signIn(client)
  return {
    endpoints,
    databaseUrl,
    pid: program.pidOf('site'),
    async post(path, body) {
      const send = () =>
        client.request('POST', `/chain${path}`, JSON.stringify(body), { authorization: `Bearer ${token}` })
      let answer = await send()
      if (answer.status === 401) {
        // A token does not last as long as some loads.
        token = await signIn(client)
        answer = await send()
      }
      if (answer.status < 300) return answer
      throw new Error(
        `POST ${path}: ${answer.status} ${Buffer.concat(answer.chunks).toString().slice(0, 500)}`,
      )
    },
    token: () => token,
    async startNext(chainRpc = endpoints.chainRpc) {
      const port = await anyFreePort()
      const child = spawn(
        process.execPath,
        ['node_modules/next/dist/bin/next', 'start', '--port', String(port), '--hostname', '127.0.0.1'],
        {
          stdio: ['ignore', 'ignore', 'inherit'],
          env: {
            ...process.env,
            ...environment,
            NODE_ENV: 'production',
            PORT: String(port),
            // Tokens are for the site that gave them.
            SITE_ORIGIN: endpoints.site,
            CHAIN_RPC_URL: chainRpc,
            CHAIN_ID: String(endpoints.chainId),
            REGISTRY_ADDRESS: endpoints.registry,
            RUNNER_ADDRESS: endpoints.runner,
            DEPLOYMENT_BLOCK: '0',
          },
        },
      )
      const origin = `http://127.0.0.1:${port}`
      await whenAnswering(`${origin}/chain/version`, child)
      return { origin, pid: child.pid!, close: () => end(child) }
    },
    async close() {
      client.close()
      await program.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function signIn(client: HttpClient): Promise<string> {
  const account = devAccount(1)
  const asked = json(await client.request('GET', `/chain/nonce/${account.address}`))
  const message = `Login nonce: ${String(asked.nonce)}`
  const signature = await account.signMessage({ message })
  const body = JSON.stringify({ address: account.address, message, signature })
  return json(await client.request('POST', '/chain/auth', body)).access_token as string
}

function json({ status, chunks }: HttpAnswer): Record<string, unknown> {
  const text = Buffer.concat(chunks).toString()
  if (status >= 300) throw new Error(`${status} ${text.slice(0, 500)}`)
  return JSON.parse(text) as Record<string, unknown>
}

/** Resolves when a server that was just started answers. */
export async function whenAnswering(url: string, child: ChildProcess): Promise<void> {
  for (const giveUp = Date.now() + 60_000; ; ) {
    const answer = await fetch(url).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer?.ok) return
    if (child.exitCode !== null || Date.now() > giveUp) throw new Error(`${url} does not answer`)
    await sleep(100)
  }
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
