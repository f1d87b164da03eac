import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPublicClient, getContractAddress, type Hex, http, toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { CREATE2_DEPLOYER } from '#lib/chain/create2-deployer.ts'
import { contractAddresses, missingContracts } from '#lib/chain/deploy.ts'
import { PASSKEY_FACTORY } from '#lib/chain/passkey-factory.ts'
import { verifyDeployment } from '#scripts/contracts/verify-deployment.ts'
import { type AnvilNode, rpc, startAnvil } from '#scripts/stack/anvil.ts'
import { devAccount } from '#test/support/chain.ts'
import { listen } from '#test/support/listen.ts'
import { ownPort } from '#test/support/own-port.ts'

/** Base, which the page about it deploys to. */
const PUBLIC_CHAIN = 8453

let nodes: { readonly development: AnvilNode; readonly elsewhere: AnvilNode }
let folder: string

beforeAll(async () => {
  nodes = {
    development: await startAnvil({ port: await ownPort() }),
    elsewhere: await startAnvil({ port: await ownPort(), chainId: PUBLIC_CHAIN }),
  }
})
afterAll(() => Promise.all([nodes?.development.stop(), nodes?.elsewhere.stop()]))
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-deploy-'))
  return () => rmSync(folder, { recursive: true, force: true })
})

function key(): string {
  return toHex(devAccount(8).getHdKey().privateKey as Uint8Array)
}
function record() {
  return join(folder, 'record.json')
}
function clientOf({ url }: AnvilNode) {
  return createPublicClient({ transport: http(url), pollingInterval: 20 })
}

/** Runs the script with only the given environment. */
function run(
  node: AnvilNode,
  env: Record<string, string>,
  ...args: string[]
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['scripts/deploy-contracts.ts', '--record', record(), ...args], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      NODE_ENV: 'production',
      CHAIN_RPC_URL: node.url,
      ...env,
    },
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
  const { development } = nodes
  const [unnamed, keyless, unfunded] = await Promise.all([
    run(development, { DEPLOYER_PRIVATE_KEY: key() }),
    run(development, { CHAIN_ID: '31337' }),
    run(development, { CHAIN_ID: '31337', DEPLOYER_PRIVATE_KEY: toHex(7n, { size: 32 }) }),
  ])
  expect([unnamed, keyless, unfunded].map(({ code }) => code)).toEqual([1, 1, 1])
  expect(unnamed.output).toContain('CHAIN_ID=31337 if that is the one you mean')
  expect(keyless.output).toContain('DEPLOYER_PRIVATE_KEY is missing')
  expect(unfunded.output).toMatch(/has 0, and should have 0\.0\d+: fund it first/)
  expect(existsSync(record())).toBe(false)
})

test('both get the addresses they have everywhere, are compared with ours, and are not deployed twice', async () => {
  const env = { CHAIN_ID: '31337', DEPLOYER_PRIVATE_KEY: key() }
  const first = await run(nodes.development, env)
  expect(first.output).toMatch(
    /byte for byte[\s\S]*REGISTRY_ADDRESS=0x\w{40}\nRUNNER_ADDRESS=0x\w{40}\nDEPLOYMENT_BLOCK=\d+\n$/,
  )
  expect(first.code).toBe(0)
  expect(first.output).not.toContain(key().slice(2))
  const written = JSON.parse(readFileSync(record(), 'utf8'))
  expect(written).toEqual({ chainId: 31_337, ...contractAddresses(), deploymentBlock: 1 })
  const client = clientOf(nodes.development)
  expect(await verifyDeployment(client, written)).toEqual([])

  // The verifiers that are named get the sources; what they answer is stored.
  const verifier = createServer((request, response) => {
    const body =
      request.method === 'POST'
        ? { verificationId: 'job' }
        : { isJobCompleted: true, contract: { runtimeMatch: 'exact_match' } }
    request.resume().on('end', () => response.end(JSON.stringify(body)))
  })
  const named = { CHAIN_ID: '31337', SOURCIFY_URL: `http://127.0.0.1:${await listen(verifier)}` }
  const verified = await run(nodes.development, named, '--verify')
  verifier.close()
  expect(verified.output).toContain('Sourcify, Runner: exact')
  expect(verified.code).toBe(0)
  const { verdicts } = JSON.parse(readFileSync(record().replace('.json', '.verified.json'), 'utf8'))
  expect(verdicts.map(({ address }: { address: string }) => address)).toEqual([
    ...Object.values(contractAddresses()),
    PASSKEY_FACTORY,
  ])

  // Later, by another account or none, with the record or without: the block of the deployment is found on the chain.
  await rpc(nodes.development.url, 'anvil_mine', ['0x10'])
  const head = await client.getBlockNumber()
  const again = await run(nodes.development, { CHAIN_ID: '31337' })
  rmSync(record())
  const unrecorded = await run(nodes.development, { CHAIN_ID: '31337' })
  for (const { code, output } of [again, unrecorded]) {
    expect(output).toContain('already deployed')
    expect(output).toMatch(/DEPLOYMENT_BLOCK=1\n$/)
    expect(code).toBe(0)
  }
  expect(JSON.parse(readFileSync(record(), 'utf8'))).toEqual(written)
  expect(await client.getBlockNumber({ cacheTime: 0 })).toBe(head)
})

test('where the deployment proxy is missing it is deployed only when that is allowed', async () => {
  const { elsewhere } = nodes
  const client = clientOf(elsewhere)
  const proxy = await client.getCode({ address: CREATE2_DEPLOYER })
  await rpc(elsewhere.url, 'anvil_setCode', [CREATE2_DEPLOYER, '0x'])
  await rpc(elsewhere.url, 'anvil_setNonce', [CREATE2_DEPLOYER, '0x0'])
  const env = { CHAIN_ID: String(PUBLIC_CHAIN), DEPLOYER_PRIVATE_KEY: key() }
  const refused = await run(elsewhere, env)
  expect(refused.code).toBe(1)
  expect(refused.output).toContain(`lacks the deterministic deployment proxy ${CREATE2_DEPLOYER}`)
  expect(refused.output).toContain('--create-deployer')
  expect(await client.getCode({ address: CREATE2_DEPLOYER })).toBeUndefined()

  const allowed = await run(elsewhere, env, '--create-deployer')
  expect(allowed.output).toContain('byte for byte')
  expect(allowed.code).toBe(0)
  expect(await client.getCode({ address: CREATE2_DEPLOYER })).toBe(proxy)
  expect(JSON.parse(readFileSync(record(), 'utf8'))).toMatchObject(contractAddresses())
  expect(
    getContractAddress({ from: '0x3fab184622dc19b6109349b94811493bf2a45362', nonce: 0n }).toLowerCase(),
  ).toBe(CREATE2_DEPLOYER)
})

test('a contract that is there already is recognised, and only the others are deployed', async () => {
  const node = await startAnvil({ port: await ownPort() })
  try {
    const client = clientOf(node)
    const [registry] = await missingContracts(client)
    // "Weft", as bytes32.
    const salt = '0x57656674'
    await rpc(node.url, 'eth_sendTransaction', [
      {
        from: devAccount(3).address,
        to: CREATE2_DEPLOYER,
        gas: '0x1000000',
        data: `${salt.padEnd(66, '0')}${registry!.creation.slice(2)}`,
      },
    ])
    const { address } = registry!
    // A node answers with the hash before the block is there.
    await expect
      .poll(async () => (await missingContracts(client)).map((each) => each.address))
      .toEqual([contractAddresses().runner, PASSKEY_FACTORY])
    const { code, output } = await run(node, { CHAIN_ID: '31337', DEPLOYER_PRIVATE_KEY: key() })
    expect(output).toMatch(/DEPLOYMENT_BLOCK=1\n$/)
    expect(code).toBe(0)
    expect(JSON.parse(readFileSync(record(), 'utf8')).registry).toBe(address)
    expect(await client.getBlockNumber()).toBe(3n)
  } finally {
    await node.stop()
  }
})

test('other code is recognised, byte by byte', async () => {
  const ours = contractAddresses()
  const client = clientOf(nodes.development)
  expect(await verifyDeployment(client, ours)).toEqual([])
  const elsewhere = { ...ours, runner: `0x${'1'.repeat(40)}` as const }
  expect((await verifyDeployment(client, elsewhere)).join()).toContain('There is no code at 0x1111')
  expect(await verifyDeployment(client, { registry: ours.runner, runner: ours.runner })).toEqual([
    expect.stringContaining('is not the registry of this version'),
    expect.stringContaining('is not the runner of this version for that registry'),
  ])
  const code = (await client.getCode({ address: ours.registry })) as Hex
  const changed = `${code.slice(0, -4)}${code.at(-4) === '0' ? '1' : '0'}${code.slice(-3)}`
  await rpc(nodes.development.url, 'anvil_setCode', [ours.registry, changed])
  const verify = { CHAIN_ID: '31337', REGISTRY_ADDRESS: ours.registry, RUNNER_ADDRESS: ours.runner }
  const { code: status, output } = await run(nodes.development, verify, '--verify')
  expect(output).toContain(`The code at ${ours.registry} is not the registry of this version`)
  expect(status).toBe(1)
})
