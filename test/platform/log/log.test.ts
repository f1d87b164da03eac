import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { VARIABLES } from '#lib/features/config.ts'
import { CORE_SECRETS } from '#lib/platform/config.ts'
import { createLog } from '#lib/platform/log/create-log.ts'
import { createScrubber } from '#lib/platform/log/scrub.ts'
import { devChain } from '#scripts/stack/dev-chain.ts'
import { listen } from '#test/support/listen.ts'

const HEX = 'abcdef0123456789'
const SESSION = `${HEX.repeat(4)}.${HEX.repeat(4)}`
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIweDEyMyJ9.c2lnbmF0dXJlLW9mLWl0'
const SIGNATURE = `0x${HEX.repeat(8)}1b`
const COOKIE = 'Fe26.2*1*8f2a*J3k_x-9*aaaa*1700000000000*bbbb*cccc~2'
const HASH = `0x${HEX.repeat(4)}`
const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

let node: Server
let rpcUrl: string

beforeAll(async () => {
  // A node that refuses what it is sent, as one does that has never seen the account.
  node = createServer(async (request, response) => {
    const { id, method } = (await json(request)) as { id: number; method: string }
    const answer =
      method === 'eth_chainId' ? { result: '0x7a69' } : { error: { code: -32000, message: 'no funds' } }
    response
      .setHeader('Content-Type', 'application/json')
      .end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })
  rpcUrl = `http://127.0.0.1:${await listen(node)}/v3/5up3rs3cr3tk3y`
})
afterAll(() => node?.close())

/** Output of a log while something is done with it. */
function written(say: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = []
  say(createLog({ level: 'trace', secrets: CORE_SECRETS }, { write: (line) => void lines.push(line) }))
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) JSON.parse(line)
  return lines.join('')
}

describe('a log', () => {
  test.each(Object.entries({ SESSION, JWT, SIGNATURE, COOKIE }))(
    'holds no %s, wherever it stands',
    (_, secret) => {
      const text = written((log) => {
        log.info(secret)
        log.info({ deep: { deeper: [secret] } }, 'nested')
        log.child({ seen: secret }).warn('of a child')
        log.error({ err: new Error(`about ${secret}.`, { cause: new Error(secret) }) }, 'failed')
        log.error({ headers: { authorization: `Bearer ${secret}`, cookie: `a=b; weft-session=${secret}` } })
        log.info({ signature: secret, token: secret, access_token: secret })
      })
      expect(text).not.toContain(secret.slice(2, 40))
    },
  )

  test('retains the subject of a line', () => {
    const text = written((log) => log.info({ hash: HASH, address: ADDRESS, requestId: 'f00' }, 'projected'))
    for (const each of [HASH, ADDRESS, 'f00', 'projected']) expect(text).toContain(each)
  })

  test('holds neither the transaction nor the key that the chain’s client quotes in its errors', async () => {
    const before = process.env.CHAIN_RPC_URL
    process.env.CHAIN_RPC_URL = rpcUrl
    try {
      const account = privateKeyToAccount(`0x${'12'.repeat(32)}`)
      const raw = await account.signTransaction({ ...TRANSACTION, type: 'eip1559' })
      const client = createWalletClient({
        account,
        chain: devChain,
        transport: http(rpcUrl, { retryCount: 0 }),
      })
      const error = await client
        .sendRawTransaction({ serializedTransaction: raw })
        .catch((reason: unknown) => reason)
      // Or there were nothing to take out.
      expect(String(error)).toContain(raw)
      expect(String(error)).toContain('5up3rs3cr3tk3y')
      const text = written((log) => log.error({ err: error }, 'not sent'))
      expect(text).toContain('no funds')
      expect(text).not.toContain(raw.slice(10, 80))
      expect(text).not.toContain('5up3rs3cr3tk3y')
    } finally {
      if (before === undefined) delete process.env.CHAIN_RPC_URL
      else process.env.CHAIN_RPC_URL = before
    }
  })
})

const TRANSACTION = {
  chainId: 31_337,
  to: ADDRESS,
  nonce: 0,
  gas: 21_000n,
  maxFeePerGas: 1n,
  maxPriorityFeePerGas: 1n,
} as const

describe('what is taken out by value', () => {
  const scrub = createScrubber(
    {
      CHAIN_TOKEN_KEY: 'ab'.repeat(32),
      SESSION_KEY: 'c2Vzc2lvbi1rZXktb2YtdGhpcnR5LXR3by1ieXRlcw==',
      S3_SECRET_ACCESS_KEY: ' short-s3-secret ',
      METRICS_TOKEN: 'x',
      DATABASE_URL: 'postgres://weft:passw0rd-1@db.example:5432/weft',
      CHAIN_RPC_URL: 'https://rpc.example/v3/0123456789?plan=paid',
    },
    CORE_SECRETS,
  )

  test('are the secrets of the environment, the password of the database, the path of the node', () => {
    const said = [
      `key ${'ab'.repeat(32)}`,
      'c2Vzc2lvbi1rZXktb2YtdGhpcnR5LXR3by1ieXRlcw==',
      'short-s3-secret',
      'password authentication failed for passw0rd-1',
      'POST https://rpc.example/v3/0123456789?plan=paid',
      'postgres://other:hunter2hunter2@db.example:5432/weft',
    ]
    expect(said.map(scrub)).toEqual([
      'key [secret]',
      '[secret]',
      '[secret]',
      'password authentication failed for [secret]',
      'POST https://rpc.example/[secret]',
      'postgres://[secret]@db.example:5432/weft',
    ])
  })

  test('is every setting that says that it is secret, in each form of its value', () => {
    const secret = 'Zq9hunter2hunter2'
    const values: [string, string][] = [
      [secret, secret],
      [`0x${HEX.repeat(4)}`, HEX.repeat(4)],
      [`https://u:${secret}@n.example/, wss://n.example/x?k=${secret}2`, secret],
      [`smtp://u:${secret}%2F@n.example`, `${secret}/`],
      [`a=1234,authorization=${secret}`, secret],
    ]
    const names = VARIABLES.filter((variable) => variable.secret).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['CRON_SECRET', 'SPONSOR_PRIVATE_KEY', 'DATABASE_URL']))
    for (const name of names) {
      for (const [value, shown] of values)
        expect(createScrubber({ [name]: value }, names)(`about ${shown}.`), name).not.toContain(shown)
    }
    // What is named like one either is one, or is meant for browsers.
    const likely = VARIABLES.filter(({ name }) => /KEY|SECRET|TOKEN|PASSWORD|HEADERS/.test(name))
    expect(likely.filter((variable) => !variable.secret)).toEqual([])
  })

  test('are not words that happen to be short secrets, nor plain addresses', () => {
    const said = 'exact: http://localhost:3000/users/a@b and https://rpc.example/ at extra'
    expect(scrub(said)).toBe(said)
  })
})

const MODULE = join(import.meta.dirname, '../../../lib/platform/log/scrub.ts')

const REGISTER = join(import.meta.dirname, '../../../instrumentation.ts')

/** Prints as site and worker do, and as one whose uncaught errors are printed too: that must not feed on itself. */
const PROGRAM = `
  import { writeFileSync } from 'node:fs'
  import { scrubOutput } from ${JSON.stringify(MODULE)}
  scrubOutput([])
  let uncaught = 0
  process.on('uncaughtException', (error) => { uncaught += 1; if (uncaught < 100) console.error(error) })
  process.stdin.once('data', async () => {
    for (let i = 0; i < 20; i++) {
      console.error('a line')
      process.stdout.write('another')
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    process.exit(uncaught === 0 ? 0 : 3)
  })
`

test('survives the exit of its reader', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], { stdio: 'pipe' })
  child.stdout.destroy()
  child.stderr.destroy()
  child.stdin.write('go')
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
})

async function errorsOf(program: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: 'pipe',
    env: { NODE_ENV: 'test', PATH: process.env.PATH, ...env },
  })
  let printed = ''
  for await (const part of child.stderr.setEncoding('utf8')) printed += part
  return printed
}

test('prints no query parameters of an error that a framework received', async () => {
  const printed = await errorsOf(`
    import { scrubOutput } from ${JSON.stringify(MODULE)}
    scrubOutput([])
    const failed = new Error('Failed query: select $1\\nparams: dear diary')
    console.error('⨯', Object.assign(failed, { query: 'select $1', params: ['dear diary'] }))
  `)
  expect(printed).toContain('⨯ Error: Failed query: select $1\n    at ')
  expect(printed).not.toContain('diary')
})

test('is begun by Next where no program of ours starts it, and once where one did', async () => {
  const program = `
    import { register } from ${JSON.stringify(REGISTER)}
    await register()
    const { write } = process.stderr
    await register()
    console.error('asked with Bearer abcdef', write === process.stderr.write)
  `
  expect(await errorsOf(program, { NEXT_RUNTIME: 'nodejs' })).toBe('asked with Bearer [token] true\n')
})
