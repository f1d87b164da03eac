import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { test as base, describe, expect } from 'vitest'
import { readFeedStatus } from '#lib/core/feed/read-status.ts'
import { startIndexer } from '#lib/core/indexer/indexer.ts'
import { writerLockHolder } from '#lib/platform/db/advisory-locks.ts'
import { chainEnvironment } from '#test/support/chain-config.ts'
import { startTcpProxy } from '#test/support/tcp-proxy.ts'
import { until } from '#test/support/until.ts'
import { waitForProjection } from '#test/support/wait-for-projection.ts'
import { devAccount, type Network, startNetwork } from '../publication/network.ts'
import { outbox } from './projection.ts'

const owner = devAccount(0)
/** Several processes start at once. */
const START_TIMEOUT_MS = 120_000

/** A network of one test, with workers as processes. */
class Scene {
  readonly network: Network
  readonly #children: ChildProcess[] = []

  constructor(network: Network) {
    this.network = network
  }

  async startProcess(env: Readonly<Record<string, string>> = {}): Promise<ChildProcess> {
    const { chain, api } = this.network
    const settings = { LOG_LEVEL: 'silent', WORKER_POLL_MS: '25', ...env }
    const child = spawn(process.execPath, ['worker/main.ts'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...chainEnvironment(chain, api.db.url), ...settings },
    })
    this.#children.push(child)
    const writes = async () => (await this.writer())?.instance.includes(`:${child.pid}:`) === true
    await until('the process writes', writes, START_TIMEOUT_MS)
    return child
  }

  status() {
    return readFeedStatus(this.network.api.services)
  }

  async writer() {
    return (await this.status()).writer
  }

  async publishAndSee(name: string): Promise<void> {
    await this.network.draftTransformation(name, owner)
    await this.network.publish('transformation', name, owner)
    await waitForProjection(this.network.api.services, { kind: 'transformation', name })
  }

  async close(): Promise<void> {
    for (const child of this.#children) {
      child.kill('SIGCONT')
      child.kill('SIGKILL')
    }
    await this.network.close()
  }
}

const test = base.extend<{ scene: Scene }>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads the names of what a fixture needs from it
  scene: async ({}, use) => {
    const scene = new Scene(await startNetwork())
    await use(scene)
    await scene.close()
  },
})

function blockedFor(milliseconds: number) {
  return {
    NODE_OPTIONS: `--import ${import.meta.dirname}/block-event-loop.ts`,
    BLOCK_MS: String(milliseconds),
  }
}

// Three at once: they mostly wait, but each starts processes.
describe('the writer ends or stops', () => {
  test.concurrent('a standby takes over from a stopped writer, which writes nothing after SIGCONT', async ({
    scene,
  }) => {
    const first = await scene.startProcess()
    const { worker: standby } = scene.network.startWorker()
    await until('standing by', () => standby.status().role === 'standby')
    first.kill('SIGSTOP')
    await until('taken over', () => standby.status().role === 'writer')
    await scene.publishAndSee('meanwhile')
    first.kill('SIGCONT')
    await until('it stands by', async () => {
      const rows = await scene.network.api.db.sql`select 1 from worker_instances where role = 'standby'`
      return rows.length === 1
    })
    await scene.publishAndSee('later')
    expect((await outbox(scene.network.api.db)).map(({ seq, name }) => [seq, name])).toEqual([
      [1, 'meanwhile'],
      [2, 'later'],
    ])
    expect((await scene.writer())?.instance).toBe(standby.status().instance)
  })

  test.concurrent('a stopped writer releases its lock at once, deletes its row, and is replaced', async ({
    scene,
  }) => {
    const first = scene.network.startWorker()
    await until('writing', () => first.worker.status().role === 'writer')
    const { worker: standby } = scene.network.startWorker()
    await until('standing by', async () => (await scene.status()).standbys === 1)
    const [before] = await writerLockHolder(scene.network.api.db.sql)
    await first.stop()
    const [after] = await writerLockHolder(scene.network.api.db.sql)
    expect(before).toBeDefined()
    expect(after).not.toEqual(before)
    await until('taken over', () => standby.status().role === 'writer')
    const instances = () => scene.network.api.db.sql`select instance from worker_instances`
    await until('its row is gone', async () => (await instances()).length === 1)
    expect(await instances()).toEqual([{ instance: standby.status().instance }])
  })
})

describe('the writer hangs', () => {
  test.concurrent('a writer whose event loop is blocked retains its heartbeat, and with it its lock', async ({
    scene,
  }) => {
    const first = await scene.startProcess(blockedFor(14_000))
    const { worker: standby } = scene.network.startWorker()
    await until('standing by', () => standby.status().role === 'standby')
    first.kill('SIGUSR2')
    const blocked = performance.now()
    // Without its own thread the heartbeat would pause as long as the event loop. A busy machine may skip some.
    const beats: number[] = []
    while (performance.now() < blocked + 13_000 && beats.length < 4) {
      const now = await scene.writer()
      // A machine that leaves even the thread no time looks like one that hangs.
      if (now?.instance.includes(`:${first.pid}:`)) {
        const at = performance.now() - now.heartbeatAgoMs
        if (at > (beats.at(-1) ?? blocked) + 500) beats.push(at)
      }
      await sleep(200)
    }
    expect(beats.length).toBeGreaterThan(1)
    const pauses = beats.map((at, index) => at - (beats[index - 1] ?? blocked))
    if (Math.max(...pauses) < 5_000) expect(standby.status().role).toBe('standby')
    await scene.publishAndSee('afterwards')
  })

  test.concurrent('a standby takes over from a writer whose event loop stays blocked', async ({ scene }) => {
    const first = await scene.startProcess(blockedFor(120_000))
    const { worker: standby } = scene.network.startWorker()
    await until('standing by', () => standby.status().role === 'standby')
    first.kill('SIGUSR2')
    await until('taken over', () => standby.status().role === 'writer')
    await scene.publishAndSee('meanwhile')
  })

  test.concurrent('a standby takes over when the connection of the writer hangs', async ({ scene }) => {
    const url = new URL(scene.network.api.db.url)
    const wire = await startTcpProxy(Number(url.port))
    const ending = new AbortController()
    const { services } = scene.network.api
    const first = startIndexer(
      { ...services, config: { ...services.config, databaseUrl: wire.through(url.href) } },
      { signal: ending.signal },
    )
    try {
      await until('writing', () => first.status().role === 'writer')
      const { worker: standby } = scene.network.startWorker()
      await until('standing by', () => standby.status().role === 'standby')
      wire.freeze()
      await until('taken over', () => standby.status().role === 'writer')
      await scene.publishAndSee('meanwhile')
      wire.thaw()
      await until('it stands by', () => first.status().role === 'standby')
      expect(await outbox(scene.network.api.db)).toHaveLength(1)
    } finally {
      ending.abort()
      await first.done
      await wire.close()
    }
  })
})
