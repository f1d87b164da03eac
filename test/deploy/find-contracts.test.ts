import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPublicClient, createWalletClient, http, zeroHash } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { contractAddresses, deployContracts } from '#lib/chain/deploy.ts'
import { type AnvilNode, rpc, startAnvil } from '#scripts/stack/anvil.ts'
import { devAccount, findContracts } from '#scripts/stack/contracts.ts'
import { devChain } from '#scripts/stack/dev-chain.ts'
import { ownPort } from '#test/support/own-port.ts'

let node: AnvilNode
let folder: string
let file: string

beforeEach(async () => {
  node = await startAnvil({ port: await ownPort() })
  folder = mkdtempSync(join(tmpdir(), 'weft-contracts-'))
  file = join(folder, 'contracts.json')
})
afterEach(async () => {
  await node?.stop()
  rmSync(folder, { recursive: true, force: true })
})

function head() {
  return rpc(node.url, 'eth_blockNumber')
}

test('a development chain gets the contracts of this version once', async () => {
  const first = await findContracts(node.url, { file })
  expect(first).toEqual({ chainId: 31_337, ...contractAddresses(), deploymentBlock: 1, deployed: true })
  expect(await findContracts(node.url, { file })).toEqual({ ...first, deployed: false })
  // What is remembered is only a convenience: the addresses are known.
  rmSync(file)
  expect(await findContracts(node.url, { file })).toEqual({ ...first, deployed: false })
})

test('a chain that lost its contracts gets them again', async () => {
  writeFileSync(
    file,
    JSON.stringify({
      chainId: 31_337,
      registry: `0x${'1'.repeat(40)}`,
      runner: `0x${'2'.repeat(40)}`,
      deploymentBlock: 7,
    }),
  )
  expect(await findContracts(node.url, { file })).toMatchObject({ ...contractAddresses(), deployed: true })
})

test('contracts of an earlier version are recognised, nothing is changed, and the text states what to do', async () => {
  const chainFolder = join(folder, 'chain')
  mkdirSync(chainFolder)
  const account = devAccount(9)
  const transport = http(node.url)
  const old = await deployContracts(
    {
      account,
      walletClient: createWalletClient({ chain: devChain, transport, account }),
      publicClient: createPublicClient({ chain: devChain, transport, pollingInterval: 20 }),
    },
    { salt: zeroHash },
  )
  const { registry, runner } = old
  const text = JSON.stringify({ chainId: 31_337, registry, runner, deploymentBlock: 1 })
  writeFileSync(file, text)
  const before = await head()

  const message = await findContracts(node.url, { file, chainFolder }).then(
    () => 'found',
    (error: Error) => error.message,
  )
  expect(message).toContain(`earlier version of Weft (registry ${registry})`)
  const moves = [...message.matchAll(/^ {2}mv (\S+) (\S+)$/gm)].map(
    ([, from, to]) => [from, to] as [string, string],
  )
  expect(moves.map(([from]) => from)).toEqual([chainFolder, file])
  expect(readFileSync(file, 'utf8')).toBe(text)
  expect(await head()).toBe(before)
  // A chain that is not ours to move stays where it is.
  await expect(findContracts(node.url, { file })).rejects.not.toThrow(chainFolder)

  for (const [from, to] of moves) renameSync(from, to)
  expect(await findContracts(node.url, { file, chainFolder })).toMatchObject({
    ...contractAddresses(),
    deployed: true,
  })
  expect(existsSync(`${file}.old`)).toBe(true)
})
