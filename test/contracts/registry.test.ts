import { join } from 'node:path'
import {
  decodeFunctionResult,
  encodeAbiParameters,
  encodeDeployData,
  encodeErrorResult,
  encodeFunctionData,
  getAddress,
  hashTypedData,
  keccak256,
  stringToHex,
  toHex,
  zeroAddress,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { publishedEvents } from '../../lib/chain/published-event.ts'
import { registryAbi } from '../../lib/protocol/abi.ts'
import type { BuiltArtifact } from '../../lib/protocol/artifact.ts'
import { codeContentHash } from '../../lib/protocol/content-hash.ts'
import { buildConnector } from '../../lib/protocol/creation-checks.ts'
import type { Address, Hex } from '../../lib/protocol/entity.ts'
import { compileContracts } from '../../scripts/contracts/compile.ts'
import { devAccount } from '../support/chain.ts'
import { type ConnectorSketch, define } from '../support/definitions.ts'
import { batchTypedData, publicationTypedData } from '../support/publication-typed-data.ts'
import { signPublication } from '../support/sign-publication.ts'
import {
  errorOf,
  freshRegistryPerTest,
  network,
  node,
  nonceOf,
  owner,
  plus,
  stranger,
} from './fresh-registry.ts'
import { type Answer, codeArtifact, type PublicationTuple } from './network.ts'

const times = codeArtifact('transformation', 'Plus', 'return x * args[0];')

freshRegistryPerTest()

function sign(
  account: number,
  publication: PublicationTuple,
  changes: { chainId?: number; registry?: Address } = {},
) {
  return signPublication(devAccount(account), publication, {
    address: changes.registry ?? network.registry,
    chainId: changes.chainId ?? 31_337,
  })
}

function send(publication: PublicationTuple, signature: Hex, account: number) {
  return node.send({
    to: network.registry,
    from: devAccount(account).address,
    data: encodeFunctionData({ abi: registryAbi, functionName: 'publish', args: [publication, signature] }),
  })
}

function entry(kind: number, name: string) {
  return node.publicClient.readContract({
    address: network.registry,
    abi: registryAbi,
    functionName: 'entry',
    args: [kind, name],
  })
}

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

describe('what is refused', () => {
  test('the same signature a second time', async () => {
    const publication = await network.publication(plus)
    const signature = await sign(0, publication)
    await send(publication, signature, 1)
    expect(errorOf(await network.tryPublish(publication, signature, stranger))).toBe('InvalidAccountNonce')
  })

  test('a nonce too low or too high', async () => {
    await network.publish(plus)
    const minus = codeArtifact('transformation', 'Minus', 'return x - args[0];')
    for (const nonce of [0n, 2n]) {
      const answer = await network.tryPublish(await network.publication(minus, { nonce }))
      expect(answer).toEqual({
        ok: false,
        revertData: encodeErrorResult({
          abi: registryAbi,
          errorName: 'InvalidAccountNonce',
          args: [owner, 1n],
        }),
      })
    }
    expect((await network.tryPublish(await network.publication(minus))).ok).toBe(true)
  })

  test('a deadline that has passed; the very second is in time', async () => {
    const { timestamp } = await node.publicClient.getBlock()
    const late = await network.publication(plus, { deadline: timestamp - 1n })
    expect(errorOf(await network.tryPublish(late))).toBe('PublicationExpired')
    await node.publicClient.request({
      method: 'evm_setNextBlockTimestamp',
      params: [toHex(timestamp + 100n)],
    } as never)
    const last = await network.publication(plus, { deadline: timestamp + 100n })
    expect((await send(last, '0x', 0)).status).toBe('success')
  })

  test('a content hash that is not the entity’s', async () => {
    const publication = await network.publication(plus, { contentHash: keccak256('0x') })
    expect(await network.tryPublish(publication)).toEqual({
      ok: false,
      revertData: encodeErrorResult({
        abi: registryAbi,
        errorName: 'ContentHashMismatch',
        args: [keccak256('0x'), plus.contentHash],
      }),
    })
  })

  test('a connector built against another artifact than the one registered', async () => {
    const sketch: ConnectorSketch = {
      name: 'Pitch',
      dimensions: [{ transformations: [{ name: 'Plus', args: [1] }] }],
    }
    await network.publish(plus)
    const stale = buildConnector(define(sketch), () => times)
    expect(errorOf(await network.tryPublish(await network.publication(stale)))).toBe('ContentHashMismatch')
    const fresh = buildConnector(define(sketch), () => plus)
    expect((await network.tryPublish(await network.publication(fresh))).ok).toBe(true)
  })

  test('names that are not names', async () => {
    for (const name of [
      '',
      '1a',
      'a-b',
      'a b',
      'é',
      'a'.repeat(129),
      'a\0',
      ' a',
      '@',
      '[',
      '`',
      '{',
      '/',
      ':',
    ]) {
      expect(errorOf(await network.tryPublish(await network.publication({ ...plus, name })))).toBe(
        'InvalidName',
      )
    }
  })

  test('names that are odd but valid are taken', async () => {
    for (const name of ['_', 'Z', 'z9', 'a'.repeat(128), '__proto__', 'toString', 'constructor']) {
      if (plus.kind === 'connector') throw new Error('unreachable')
      const contentHash = codeContentHash(plus.kind, name, plus.argsCount, plus.runtime)
      const answer = await network.tryPublish(await network.publication({ ...plus, name, contentHash }))
      expect(answer.ok).toBe(true)
    }
  })

  test('unknown kinds, no owner, and empty payloads', async () => {
    const publication = await network.publication(plus)
    expect(errorOf(await network.tryPublish({ ...publication, kind: 3 }))).toBe('InvalidKind')
    expect(await network.tryPublish({ ...publication, owner: zeroAddress })).toEqual({
      ok: false,
      revertData: encodeErrorResult({
        abi: [{ type: 'error', name: 'Error', inputs: [{ type: 'string' }] }],
        args: ['owner is zero'],
      }),
    })
    for (const payload of ['0x', '0x00', `0x${'ff'.repeat(96)}`] as const) {
      for (const kind of [0, 1, 2]) {
        expect((await network.tryPublish({ ...publication, kind, payload })).ok).toBe(false)
      }
    }
  })

  test('code that is none, that is no legacy code, or that is too long', async () => {
    for (const runtime of ['0x', '0xef00', `0x${'00'.repeat(24_577)}`] as const) {
      const contentHash = codeContentHash('transformation', 'Odd', 0, runtime)
      const odd: BuiltArtifact = { kind: 'transformation', name: 'Odd', argsCount: 0, runtime, contentHash }
      expect(errorOf(await network.tryPublish(await network.publication(odd)))).toBe('InvalidCode')
    }
  })

  test('a payload of code in any other encoding than the plain one', async () => {
    const { payload, ...publication } = await network.publication(plus)
    const words = payload.slice(2).match(/.{64}/g) as string[]
    const [count, offset, length, ...code] = words as [string, string, string, ...string[]]
    const padding = 32 - (Number.parseInt(length, 16) % 32)
    expect(padding).toBeLessThan(32)
    for (const other of [
      [...words, '00'.repeat(32)],
      words.slice(0, -1),
      [count, '80'.padStart(64, '0'), '00'.repeat(32), length, ...code],
      [count, `${'f'.repeat(62)}40`, length, ...code],
      [`1${count.slice(1)}`, offset, length, ...code],
      [`${'0'.repeat(55)}100000001`, offset, length, ...code],
      [count, offset, `8${length.slice(1)}`, ...code],
      [count, offset, 'f'.repeat(64), ...code],
      [count, offset, length, ...code.slice(0, -1), `${code.slice(-1).join('').slice(0, -1)}1`],
    ]) {
      const answer = await network.tryPublish({ ...publication, payload: `0x${other.join('')}` })
      expect(errorOf(answer), other.slice(0, 4).join(' ')).toBe('PayloadNotCanonical')
    }
  })

  test('a connector payload in any other encoding than the plain one', async () => {
    await network.publish(plus)
    const artifact = buildConnector(
      define({ name: 'Pitch', dimensions: [{ transformations: [{ name: 'Plus', args: [1] }] }] }),
      network.lookup,
    )
    const publication = await network.publication(artifact)
    const payload: Hex = `${publication.payload}${'00'.repeat(32)}`
    expect(errorOf(await network.tryPublish({ ...publication, payload }))).toBe('PayloadNotCanonical')
  })

  test('static running instances and slots out of order or twice, and more leaves or depth than allowed', async () => {
    await network.publish(plus)
    const one = { transformations: [{ name: 'Plus', args: [1] }] }
    await network.connector({ name: 'Pair', dimensions: [one, one] })
    const definition = define({
      name: 'Host',
      dimensions: [{ ...one, composite: 'Pair', bindings: { 0: 'Pair', 1: 'Pair' } }],
    })
    const base = buildConnector(definition, network.lookup)
    const bindings = [...definition.dimensions[0]!.bindings].reverse()
    const instance = { startPoint: 1, transformationShift: 0 }
    for (const wrong of [
      { ...definition, dimensions: [{ ...definition.dimensions[0]!, bindings }] },
      {
        ...definition,
        staticRi: [
          { position: 2, ...instance },
          { position: 1, ...instance },
        ],
      },
      {
        ...definition,
        staticRi: [
          { position: 1, ...instance },
          { position: 1, ...instance },
        ],
      },
    ]) {
      const publication = await network.publication({ ...base, definition: wrong })
      expect(errorOf(await network.tryPublish(publication))).toBe('ConnectorDimensionsMismatch')
    }
    // 16 dimensions of 16 dimensions of 16 leaves: 4096 are the most, one more is too many.
    const sixteen = <T>(item: T): T[] => Array.from({ length: 16 }, () => item)
    await network.connector({ name: 'L16', dimensions: sixteen(one) })
    await network.connector({ name: 'L256', dimensions: sixteen({ composite: 'L16' }) })
    await network.connector({ name: 'L4096', dimensions: sixteen({ composite: 'L256' }) })
    const tooMany = {
      ...base,
      definition: define({ name: 'Host', dimensions: [{ composite: 'L4096' }, one] }),
    }
    expect(errorOf(await network.tryPublish(await network.publication(tooMany)))).toBe(
      'ConnectorLimitExceeded',
    )
  })

  test('nesting deeper than 256', async () => {
    await network.connector({ name: 'N1', dimensions: [{}] })
    for (let depth = 2; depth <= 256; depth++) {
      await network.connector({ name: `N${depth}`, dimensions: [{ composite: `N${depth - 1}` }] })
    }
    const artifact = network.lookup('connector', 'N256')!
    if (artifact.kind !== 'connector') throw new Error('unreachable')
    const deeper = {
      ...artifact,
      definition: define({ name: 'N257', dimensions: [{ composite: 'N256' }] }),
      name: 'N257',
    }
    expect(errorOf(await network.tryPublish(await network.publication(deeper)))).toBe(
      'ConnectorLimitExceeded',
    )
    const answer = await network.generate('N256', 3)
    expect(answer.ok).toBe(true)
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
