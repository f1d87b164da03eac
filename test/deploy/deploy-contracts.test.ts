import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Hex, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyDeployment } from '../../scripts/contracts/verify-deployment.ts'
import { devAccount, type TestChain, testChain } from '../support/chain.ts'

let chain: TestChain
let folder: string

beforeAll(async () => {
  chain = await testChain()
  folder = mkdtempSync(join(tmpdir(), 'weft-deploy-'))
})
afterAll(async () => {
  await chain?.close()
  rmSync(folder, { recursive: true, force: true })
})

const key = (): string => toHex(devAccount(8).getHdKey().privateKey as Uint8Array)
const record = () => join(folder, 'record.json')

/** Runs the script with nothing in its environment but what is given. */
function run(
  env: Record<string, string>,
  ...args: string[]
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['scripts/deploy-contracts.ts', '--record', record(), ...args], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', CHAIN_RPC_URL: chain.url, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })))
}

test('nothing is deployed without a key, without funds, or to a chain that was not named', async () => {
  const [unnamed, keyless, unfunded] = await Promise.all([
    run({ DEPLOYER_PRIVATE_KEY: key() }),
    run({ CHAIN_ID: '31337' }),
    run({ CHAIN_ID: '31337', DEPLOYER_PRIVATE_KEY: toHex(7n, { size: 32 }) }),
  ])
  expect([unnamed, keyless, unfunded].map(({ code }) => code)).toEqual([1, 1, 1])
  expect(unnamed.output).toContain('CHAIN_ID=31337 if that is the one you mean')
  expect(keyless.output).toContain('DEPLOYER_PRIVATE_KEY is missing')
  expect(unfunded.output).toMatch(/has 0, and should have 0\.0\d+: fund it first/)
})

test('both are deployed, compared with ours, written down, and not deployed twice', async () => {
  const env = { CHAIN_ID: '31337', DEPLOYER_PRIVATE_KEY: key() }
  const first = await run(env)
  expect(first.output).toMatch(
    /byte for byte[\s\S]*REGISTRY_ADDRESS=0x\w{40}\nRUNNER_ADDRESS=0x\w{40}\nDEPLOYMENT_BLOCK=\d+\n$/,
  )
  expect(first.code).toBe(0)
  expect(first.output).not.toContain(key().slice(2))
  const written = JSON.parse(readFileSync(record(), 'utf8'))
  expect(await verifyDeployment(chain.publicClient, written)).toEqual([])

  // As after a run that was cut short between the two.
  const { runner: _, ...half } = written
  writeFileSync(record(), JSON.stringify(half))
  expect((await run(env)).output).not.toContain('Deploying the registry')
  const second = JSON.parse(readFileSync(record(), 'utf8'))
  expect(second.registry).toBe(written.registry)
  expect(second.runner).not.toBe(written.runner)

  const again = await run({ CHAIN_ID: '31337' })
  expect(again).toMatchObject({ code: 0, output: expect.stringContaining(second.deploymentBlock.toString()) })
  expect(JSON.parse(readFileSync(record(), 'utf8'))).toEqual(second)
})

test('code that is not ours is told apart, byte by byte', async () => {
  const written = JSON.parse(readFileSync(record(), 'utf8'))
  const ours = { registry: chain.registry, runner: chain.runner }
  expect(await verifyDeployment(chain.publicClient, ours)).toEqual([])
  expect(await verifyDeployment(chain.publicClient, { ...ours, registry: written.registry })).toEqual([
    expect.stringContaining('is not the runner of this version for that registry'),
  ])
  const code = (await chain.publicClient.getCode({ address: chain.registry })) as Hex
  const changed = `${code.slice(0, -4)}${code.at(-4) === '0' ? '1' : '0'}${code.slice(-3)}`
  await chain.rpc('anvil_setCode', [chain.registry, changed])
  const verify = { CHAIN_ID: '31337', REGISTRY_ADDRESS: chain.registry, RUNNER_ADDRESS: chain.runner }
  const { code: status, output } = await run(verify, '--verify')
  expect(output).toContain(`The code at ${chain.registry} is not the registry of this version`)
  expect(status).toBe(1)
  const elsewhere = { ...ours, runner: `0x${'1'.repeat(40)}` as const }
  expect((await verifyDeployment(chain.publicClient, elsewhere)).join()).toContain(
    'There is no code at 0x1111',
  )
})
