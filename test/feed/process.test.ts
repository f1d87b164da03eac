import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { devAccount, startNetwork } from '../publication/network.ts'
import { waitForProjection } from '../support/wait-for-projection.ts'
import { spawnWorker } from './worker-process.ts'

test('the worker process indexes the chain and exits soon after SIGTERM', async () => {
  const network = await startNetwork()
  const { api } = network
  const worker = spawnWorker(network)
  let complaints = ''
  worker.stderr?.on('data', (chunk: Buffer) => {
    complaints += chunk.toString()
  })
  const ended = once(worker, 'exit')
  try {
    await network.draftTransformation('add', devAccount(0))
    await network.publish('transformation', 'add', devAccount(0))
    await waitForProjection(api.services, { kind: 'transformation', name: 'add' })
    const asked = Date.now()
    worker.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(Date.now() - asked).toBeLessThan(10_000)
    expect(complaints).toBe('')
  } finally {
    worker.kill('SIGKILL')
    await ended
    await network.close()
  }
})

test('the worker process names a missing variable', async () => {
  const { DATABASE_URL: _, ...env } = process.env
  const worker = spawn(process.execPath, ['worker/main.ts'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...env, CHAIN_TOKEN_KEY: 'ab'.repeat(32), SESSION_KEY: 'cd'.repeat(32) },
  })
  let complaints = ''
  worker.stderr.on('data', (chunk: Buffer) => {
    complaints += chunk.toString()
  })
  expect(await once(worker, 'exit')).toEqual([1, null])
  expect(complaints).toMatch(/DATABASE_URL is missing/)
})
