import { join } from 'node:path'
import {
  decodeFunctionResult,
  encodeAbiParameters,
  encodeDeployData,
  encodeErrorResult,
  getAddress,
  hashTypedData,
  keccak256,
  stringToHex,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { batchTypedData, publicationTypedData } from '#lib/chain/publication-typed-data.ts'
import { publishedEvents } from '#lib/chain/published-event.ts'
import { registryAbi } from '#lib/protocol/abi.ts'
import type { Address, Hex } from '#lib/protocol/entity.ts'
import { compileContracts } from '#scripts/contracts/compile.ts'
import { devAccount } from '#test/support/chain.ts'
import {
  entry,
  errorOf,
  freshRegistryPerTest,
  network,
  node,
  nonceOf,
  owner,
  plus,
  send,
  sign,
  stranger,
} from './fresh-registry.ts'
import { type Answer, codeArtifact } from './network.ts'

const times = codeArtifact('transformation', 'Plus', 'return x * args[0];')

freshRegistryPerTest()

describe('authorisation to publish', () => {
  test('an owner without a signature, with exactly one event that contains everything', async () => {
    const publication = await network.publication(plus, { metadata: '0x01' })
    const dry = await network.tryPublish(publication)
    const receipt = await send(publication, '0x', 0)
    expect(receipt.status).toBe('success')
    expect(receipt.logs).toHaveLength(1)
    const address = await network.address('transformation', 'Plus')
    expect(publishedEvents(network.registry, receipt.logs)).toEqual([
      {
        kind: 'transformation',
        name: 'Plus',
        owner: owner.toLowerCase(),
        address,
        contentHash: plus.contentHash,
        metadataHash: keccak256('0x01'),
        nonce: 0n,
      },
    ])
    expect(receipt.logs[0]!.topics[3]).toBe(keccak256(stringToHex('Plus')))
    expect(await entry(1, 'Plus')).toEqual([receiptAddress(dry), owner, 1, plus.contentHash])
  })

  test('a stranger with the owner’s signature; the owner’s nonce moves, not the stranger’s', async () => {
    const publication = await network.publication(plus)
    const receipt = await send(publication, await sign(0, publication), 1)
    expect(receipt.status).toBe('success')
    expect((await entry(1, 'Plus'))[1]).toBe(owner)
    expect(await nonceOf(owner)).toBe(1n)
    expect(await nonceOf(stranger)).toBe(0n)
  })

  test('with an empty signature only the owner', async () => {
    const publication = await network.publication(plus)
    expect(errorOf(await network.tryPublish(publication, '0x', stranger))).toBe('InvalidSignature')
  })

  test('no signature of another account, another chain or another registry, or over other words', async () => {
    const publication = await network.publication(plus)
    const other = await node.deploy()
    const signatures = [
      await sign(1, publication),
      await sign(0, publication, { chainId: 1 }),
      await sign(0, publication, { registry: other.registry }),
      await sign(0, { ...publication, name: 'Minus' }),
      await sign(0, { ...publication, metadata: '0x00' }),
      await sign(0, { ...publication, deadline: 1n }),
      '0x1234',
    ] as const
    for (const signature of signatures) {
      expect(errorOf(await network.tryPublish(publication, signature, stranger))).toBe('InvalidSignature')
    }
    // A wrong signature is wrong in the owner's hand, too.
    expect(errorOf(await network.tryPublish(publication, signatures[0]))).toBe('InvalidSignature')
  })

  test('a contract wallet, by what it accepts (EIP-1271)', async () => {
    const [wallet] = compileContracts(join(import.meta.dirname, '../..'), ['test/Wallet.sol'])
    const { address } = await node.send({
      data: encodeDeployData({ abi: wallet!.abi, bytecode: wallet!.bytecode, args: [devAccount(3).address] }),
    })
    const publication = await network.publication(plus, { owner: address! })
    expect(errorOf(await network.tryPublish(publication, await sign(2, publication), stranger))).toBe(
      'InvalidSignature',
    )
    expect((await send(publication, await sign(3, publication), 1)).status).toBe('success')
    expect((await entry(1, 'Plus'))[1]).toBe(getAddress(address!))
  })
})

describe('what stands once it is published', () => {
  test('the name belongs to the first of two owners; the other changes nothing', async () => {
    const theirs = await network.publication(times, { owner: stranger })
    await network.publish(plus)
    const before = await entry(1, 'Plus')
    const receipt = await send(theirs, '0x', 1)
    expect(receipt.status).toBe('reverted')
    expect(await network.tryPublish(theirs, '0x', stranger)).toEqual({
      ok: false,
      revertData: encodeErrorResult({
        abi: registryAbi,
        errorName: 'TransformationAlreadyRegistered',
        args: [keccak256(stringToHex('Plus'))],
      }),
    })
    // Nor can the owner, with the same or other content.
    for (const artifact of [plus, times]) {
      expect(errorOf(await network.tryPublish(await network.publication(artifact)))).toBe(
        'TransformationAlreadyRegistered',
      )
    }
    expect(await entry(1, 'Plus')).toEqual(before)
  })

  test('kinds are separate namespaces', async () => {
    await network.publish(plus)
    await network.body('condition', 'Plus', 'return true;')
    await network.connector({ name: 'Plus', dimensions: [{}] })
    const addresses = await Promise.all([0, 1, 2].map(async (kind) => (await entry(kind, 'Plus'))[0]))
    expect(new Set(addresses).size).toBe(3)
  })

  test('no function can change anything but publish and publishBatch', () => {
    const changing = registryAbi.filter((item) => item.type === 'function' && item.stateMutability !== 'view')
    expect(changing.map((item) => 'name' in item && item.name)).toEqual(['publish', 'publishBatch'])
  })
})

test('the address is CREATE2 of kind, name and code', async () => {
  await network.publish(plus)
  if (plus.kind === 'connector') throw new Error('unreachable')
  const salt = keccak256(
    encodeAbiParameters([{ type: 'uint8' }, { type: 'bytes32' }], [1, keccak256(stringToHex('Plus'))]),
  )
  const init: Hex = `0x600b380380600b5f395ff3${plus.runtime.slice(2)}`
  const digest = keccak256(`0xff${network.registry.slice(2)}${salt.slice(2)}${keccak256(init).slice(2)}`)
  expect(await network.address('transformation', 'Plus')).toBe(`0x${digest.slice(-40)}`)
})

function receiptAddress(answer: Answer): Address {
  if (!answer.ok) throw new Error(answer.revertData)
  return decodeFunctionResult({ abi: registryAbi, functionName: 'publish', data: answer.output })
}

// A wallet hashes the typed data independently: it must compute the digest that the contract checks.
test('publicationDigest and batchDigest are the EIP-712 digests', async () => {
  const publication = await network.publication(plus, { metadata: '0x7b7d' })
  const target = { registry: network.registry, chainId: 31_337 }
  const signed = { ...publication, kind: 'transformation' as const }
  const read = { address: network.registry, abi: registryAbi } as const
  expect(
    await node.publicClient.readContract({ ...read, functionName: 'publicationDigest', args: [publication] }),
  ).toBe(hashTypedData(publicationTypedData(signed, target)))
  const two = [publication, { ...publication, nonce: 1n, metadata: '0x' as const }]
  expect(await node.publicClient.readContract({ ...read, functionName: 'batchDigest', args: [two] })).toBe(
    hashTypedData(batchTypedData([signed, { ...signed, nonce: 1n, metadata: '0x' }], target)),
  )
})
