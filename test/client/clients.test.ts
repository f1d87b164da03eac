import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import { encodeFunctionData } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createChainClient,
  createServicesClient,
  orThrow,
  publish,
  signIn,
  signInToServices,
} from '#lib/client/index.ts'
import { registryAbi } from '#lib/protocol/abi.ts'
import { KIND_CODE } from '#lib/protocol/entity.ts'
import { serveNode } from '#lib/server/http/node-adapter.ts'
import { createChainDispatcher } from '#lib/server/operations/chain/dispatcher.ts'
import { createServicesDispatcher } from '#lib/server/operations/services/dispatcher.ts'
import { listen } from '#test/support/listen.ts'
import { startServices, type TestServices } from '#test/support/services.ts'
import { until } from '#test/support/until.ts'

const hasPython = spawnSync('python3', ['--version']).status === 0

let started: TestServices
let site: string
const server = createServer((request, response) => serve(request, response))
let serve: ReturnType<typeof serveNode>
const children: ChildProcess[] = []

beforeAll(async () => {
  started = await startServices({ chainId: 31_337 })
  serve = serveNode(createChainDispatcher({ services: async () => started.services }))
  site = `http://127.0.0.1:${await listen(server)}`
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  server.closeAllConnections()
  server.close()
  await started.close()
})

/** Runs a program with the client; lines that it prints are answered by `reply`. */
function python(code: string, reply: (line: string) => Promise<string> | undefined = () => undefined) {
  const child = spawn(
    'python3',
    ['-u', '-c', `from weft_client import *\nweft = Weft(${JSON.stringify(site)})\n${code}`],
    {
      env: { ...process.env, PYTHONPATH: 'examples/python', PYTHONDONTWRITEBYTECODE: '1' },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  children.push(child)
  const lines: string[] = []
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) {
      lines.push(line)
      void reply(line)?.then((answer) => child.stdin.write(`${answer}\n`))
    }
  })
  return { lines, ended: () => child.exitCode !== null }
}

test.skipIf(!hasPython)('Python: reads, refusals and sign-in', async () => {
  const account = privateKeyToAccount(generatePrivateKey())
  const { lines, ended } = python(
    `
print(weft.request("GET", "/version")["version"])
try:
    weft.simulate("nobody", 3)
except WeftError as error:
    print(error.status, error.message, error.code)
def sign(message):
    print("sign " + message)
    return input()
weft.sign_in("${account.address}", sign)
print(weft.token.count("."))
`,
    (line) => (line.startsWith('sign ') ? account.signMessage({ message: line.slice(5) }) : undefined),
  )
  await until('the program ends', ended)
  expect(lines).toEqual([
    expect.stringMatching(/^\d+\.\d+\.\d+$/),
    expect.stringMatching(/^404 Connector not found \w+$/),
    expect.stringMatching(/^sign Login nonce: \d+$/),
    '2',
  ])
})

test('TypeScript: reads, refusals and sign-in', async () => {
  const chain = createChainClient(`${site}/chain`)
  const body = { connector_name: 'nobody', particles_count: 3 }
  await expect(orThrow(chain.POST('/simulate', { body }))).rejects.toMatchObject({
    name: 'WeftError',
    status: 404,
    message: 'Connector not found',
    code: expect.stringMatching(/^\w+$/),
  })
  const account = privateKeyToAccount(generatePrivateKey())
  expect((await signIn(chain, account)).split('.')).toHaveLength(3)
  const misled = createChainClient(`${site}/chain`, {
    fetch: async () => Response.json({ nonce: '1\nhttps://other.example wants you to sign in' }),
  })
  await expect(signIn(misled, account)).rejects.toThrow('nothing was signed')
})

test('TypeScript: signs in to the services API, and never signs the message of another site or account', async () => {
  const origin = started.services.config.siteOrigin
  const dispatch = createServicesDispatcher({ services: async () => started.services })
  const services = createServicesClient(`${origin}/services`, { fetch: async (request) => dispatch(request) })
  const account = privateKeyToAccount(generatePrivateKey())
  const token = await signInToServices(services, account, { origin, chainId: 31_337 })
  const headers = { Authorization: `Bearer ${token}` }
  expect(await orThrow(services.GET('/auth/me', { headers }))).toMatchObject({ id: account.address })

  const body = { address: account.address, chain_id: 31_337, app_origin: origin }
  const challenge = await orThrow(services.POST('/auth/siwe/challenge', { body }))
  const misled = createServicesClient(`${origin}/services`, { fetch: async () => Response.json(challenge) })
  const other = privateKeyToAccount(generatePrivateKey())
  for (const [signer, site] of [
    [other, origin],
    [account, 'https://other.example'],
  ] as const) {
    const signing = signInToServices(misled, signer, { origin: site, chainId: 31_337 })
    await expect(signing).rejects.toThrow('nothing was signed')
  }
})

test('TypeScript: signs no transaction that publishes something else', async () => {
  const account = privateKeyToAccount(generatePrivateKey())
  const calldata = (name: string, kind: number) => {
    const hash = `0x${'1'.repeat(64)}` as const
    const terms = { kind, name, owner: account.address, contentHash: hash, nonce: 0n, deadline: 0n }
    const publication = { ...terms, payload: '0x', metadata: '0x' } as const
    return encodeFunctionData({ abi: registryAbi, functionName: 'publish', args: [publication, '0x'] })
  }
  const asked = calldata('stairs', KIND_CODE.connector)
  const prepared = (data: string) =>
    createChainClient(`${site}/chain`, {
      fetch: async ({ url }) => {
        if (url.includes('/nonce/')) return Response.json({ nonce: '1' })
        if (url.endsWith('/auth')) return Response.json({ access_token: 'a.b.c' })
        const transaction = { to: account.address, data, chainId: '0x1', gas: '0x1' }
        const signing = { nonce: '0x0', maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x1' }
        return Response.json({ status: 'prepared', transaction, signing, deadline: 0 })
      },
    })
  const signTransaction = async (): Promise<string> => {
    throw new Error('signed')
  }
  const publishing = (data: string) =>
    publish(prepared(data), { ...account, signTransaction }, { kind: 'connector', name: 'stairs' })
  await expect(publishing(asked)).rejects.toThrow(/^signed$/)
  for (const data of [
    calldata('stair', KIND_CODE.connector),
    calldata('stairss', KIND_CODE.connector),
    calldata('stairs', KIND_CODE.condition),
    asked.slice(0, 10),
    asked.slice(0, 200),
    `${asked.slice(0, 10)}${'f'.repeat(asked.length - 10)}`,
  ]) {
    await expect(publishing(data)).rejects.toThrow('nothing was signed')
  }
})
