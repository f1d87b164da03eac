import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { anyFreePort } from '../../scripts/stack/ports.ts'

/** The built site under `next start`, as where nobody puts a server of their own before it. */
export interface NextSite {
  readonly origin: string
  stop(): Promise<void>
}

/** @param environment Configures it; nothing else of this process does. */
export async function startNextSite(environment: Readonly<Record<string, string>>): Promise<NextSite> {
  const port = String(await anyFreePort())
  const command = ['node_modules/next/dist/bin/next', 'start', '--port', port, '--hostname', '127.0.0.1']
  const child = spawn(process.execPath, command, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: port, ...environment },
  })
  const origin = `http://127.0.0.1:${port}`
  for (const giveUp = Date.now() + 60_000; ; ) {
    const answer = await fetch(`${origin}/healthz`).catch(() => undefined)
    if (answer?.ok) break
    if (child.exitCode !== null || Date.now() > giveUp) throw new Error('next start does not answer')
    await sleep(100)
  }
  return {
    origin,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
