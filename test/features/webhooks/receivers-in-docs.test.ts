import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { postJson } from '#lib/features/webhooks/post.ts'
import { createSecret, signedHeaders } from '#lib/features/webhooks/signature.ts'
import { samplesOf } from '#test/support/doc-samples.ts'
import { ownPort } from '#test/support/own-port.ts'
import { until } from '#test/support/until.ts'

const PAGE = 'docs/site/webhooks.md'
const hasPython = spawnSync('python3', ['--version']).status === 0

let child: ChildProcess | undefined
let folder: string | undefined
afterEach(() => {
  child?.kill('SIGKILL')
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
})

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const opened = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  })
  socket.destroy()
  return opened
}

test.each([
  ['js', process.execPath, 'receiver.mjs', true],
  ['python', 'python3', 'receiver.py', hasPython],
] as const)('the receiver in %s accepts what is signed, once, and nothing else', async (...language) => {
  const [name, command, file, runs] = language
  const code = samplesOf(PAGE).find((sample) => sample.language === name)?.code
  expect(code).toBeDefined()
  if (!runs) return
  folder = mkdtempSync(join(tmpdir(), 'weft-receiver-'))
  writeFileSync(join(folder, file), code ?? '')
  const port = await ownPort()
  const secret = createSecret()
  child = spawn(command, [file], {
    cwd: folder,
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  await until('the receiver listens', () => isListening(port))

  const body = JSON.stringify({
    type: 'connector_added',
    timestamp: new Date().toISOString(),
    data: { stream_seq: 7, status: 'observed', payload: { type: 'connector', name: 'pitch', owner: '0x' } },
  })
  const now = Math.floor(Date.now() / 1000)
  const send = async (headers: Record<string, string>, sent = body) =>
    (await postJson(`http://127.0.0.1:${port}/`, headers, sent, { allowLoopback: true, timeoutMs: 30_000 }))
      .status
  const message = { id: 'seq_7', timestamp: now, body }
  const genuine = signedHeaders(message, [secret])

  expect(await send({})).toBe(401)
  expect(await send(signedHeaders(message, [createSecret()]))).toBe(401)
  expect(await send(genuine, body.replace('pitch', 'catch'))).toBe(401)
  expect(await send({ ...genuine, 'webhook-id': 'seq_8' })).toBe(401)
  expect(await send(signedHeaders({ ...message, timestamp: now - 3_600 }, [secret]))).toBe(401)
  // A digit by its name, which is none to `int`.
  for (const timestamp of ['soon', '²', '1e9', '', ' ', '-1', '9'.repeat(400)])
    expect(await send({ ...genuine, 'webhook-timestamp': timestamp }), timestamp).toBe(401)
  // With a secret that is changing, and again after a lost answer.
  expect(await send(signedHeaders(message, [createSecret(), secret]))).toBe(204)
  expect(await send(genuine)).toBe(204)
  await until('it printed the event', () => output.includes('\n'))
  expect(output.trim()).toBe('seq_7 connector_added observed pitch')
})
