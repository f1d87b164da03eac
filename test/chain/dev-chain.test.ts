import { numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectChain } from '../../lib/chain/access.ts'
import { isOurDevChain, openDevChain } from '../../lib/dev-chain/dev-chain.ts'
import { mineBlocks } from '../../lib/dev-chain/mine.ts'
import { reorganise } from '../../lib/dev-chain/reorganise.ts'
import { anyFreePort } from '../../scripts/stack/ports.ts'
import { type TestChain, testChain } from '../support/chain.ts'
import { testConfig } from '../support/config.ts'

describe('whose chain may be pushed around', () => {
  const local = { chainRpcUrl: 'http://127.0.0.1:8545' }
  test.each([
    [local, 31_337, true],
    [local, 1337, true],
    [{ chainRpcUrl: 'http://localhost:8545' }, 31_337, true],
    [{ chainRpcUrl: 'http://[::1]:8545' }, 31_337, true],
    [local, 1, false],
    [local, 11_155_111, false],
    [local, null, false],
    [{ ...local, devPanel: false }, 31_337, false],
    [{ chainRpcUrl: 'https://rpc.example' }, 31_337, false],
    [{ chainRpcUrl: 'http://127.0.0.1.rpc.example' }, 31_337, false],
    [{ chainRpcUrl: 'http://10.0.0.7:8545' }, 31_337, false],
    [{}, 31_337, false],
  ])('%j with id %s: %s', (config, chainId, expected) => {
    expect(isOurDevChain({ config: testConfig(config) }, chainId)).toBe(expected)
  })
})

describe('on a node', () => {
  let chain: TestChain
  beforeAll(async () => {
    // `finalized` is eight blocks behind the head.
    chain = await testChain({ slotsInAnEpoch: 4 })
    await chain.rpc('anvil_mine', [numberToHex(20)])
  })
  afterAll(() => chain?.close())

  const open = async (chainRpcUrl: string) => {
    const config = testConfig({
      chainRpcUrl,
      registryAddress: chain.registry,
      runnerAddress: chain.runner,
    })
    return openDevChain({ config, chain: await connectChain(config) })
  }
  const client = async () => {
    const found = await open(chain.url)
    if (found === undefined) throw new Error('not our development chain')
    return found
  }
  const head = () => chain.publicClient.getBlock()

  test('the id is the node’s own word: another chain behind a local address is not ours', async () => {
    expect(await open(chain.url)).toBeDefined()
    await chain.rpc('anvil_setChainId', [5])
    try {
      expect(await open(chain.url)).toBeUndefined()
    } finally {
      await chain.rpc('anvil_setChainId', [31_337])
    }
  })

  test('a node that does not answer is a failure, not an open door', async () => {
    const nobody = `http://127.0.0.1:${await anyFreePort()}`
    await expect(open(nobody)).rejects.toMatchObject({ code: 'chain_unavailable' })
  })

  test('mines as many blocks as asked for', async () => {
    const before = await head()
    await mineBlocks(await client(), 3)
    expect((await head()).number).toBe(before.number + 3n)
    for (const blocks of [0, 65, 1.5, Number.NaN]) {
      await expect(mineBlocks(await client(), blocks)).rejects.toMatchObject({ code: 'invalid_request' })
    }
  })

  test('replaces blocks, with or without their transactions, and never a finalized one', async () => {
    const wallet = chain.wallet(2)
    const send = async () => {
      const hash = await wallet.sendTransaction({ to: wallet.account.address, value: 1n })
      await chain.publicClient.waitForTransactionReceipt({ hash })
      return hash
    }
    const kept = await send()
    const before = await head()
    await reorganise(await client(), { depth: 1, keepTransactions: true })
    const after = await head()
    expect(after.number).toBe(before.number)
    expect(after.hash).not.toBe(before.hash)
    expect(after.transactions).toEqual([kept])

    await send()
    await reorganise(await client(), { depth: 1, keepTransactions: false })
    expect((await head()).transactions).toEqual([])

    for (const depth of [0, -1, 65, Number.NaN, 20]) {
      await expect(reorganise(await client(), { depth, keepTransactions: false })).rejects.toMatchObject({
        code: 'invalid_request',
      })
    }
  })
})
