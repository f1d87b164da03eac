import { join } from 'node:path'
import {
  decodeFunctionResult,
  encodeDeployData,
  encodeErrorResult,
  encodeFunctionData,
  hexToBigInt,
  keccak256,
  parseSignature,
  serializeSignature,
  size,
  toHex,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { decodePublish } from '#lib/chain/publication-calldata.ts'
import { publishedEvents } from '#lib/chain/published-event.ts'
import { registryAbi } from '#lib/protocol/abi.ts'
import type { BuiltArtifact } from '#lib/protocol/artifact.ts'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import type { Address, Hex } from '#lib/protocol/entity.ts'
import { compileContracts } from '#scripts/contracts/compile.ts'
import { devAccount } from '#test/support/chain.ts'
import { define } from '#test/support/definitions.ts'
import { signBatch, signPublication } from '#test/support/sign-publication.ts'
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
import { codeArtifact, type PublicationTuple } from './network.ts'

const above = codeArtifact('condition', 'Above', 'return args[0] > args[1];')
const pitch = buildConnector(
  define({
    name: 'Pitch',
    dimensions: [{ transformations: [{ name: 'Plus', args: [1] }] }],
    condition_name: 'Above',
    condition_args: [2, 1],
  }),
  (_, name) => (name === 'Plus' ? plus : above),
)

freshRegistryPerTest()

function batch(artifacts: readonly BuiltArtifact[], changes: Partial<PublicationTuple> = {}) {
  return Promise.all(
    artifacts.map((artifact, i) => network.publication(artifact, { nonce: BigInt(i), ...changes })),
  )
}

function calldata(publications: readonly PublicationTuple[], signature: Hex = '0x') {
  return encodeFunctionData({
    abi: registryAbi,
    functionName: 'publishBatch',
    args: [publications, signature],
  })
}

function attempt(publications: readonly PublicationTuple[], signature?: Hex, from?: Address) {
  return node.call(network.registry, calldata(publications, signature), from)
}

function target() {
  return { address: network.registry, chainId: 31_337 }
}

const NOWHERE = `0x${'0'.repeat(40)}`

describe('a batch', () => {
  test('registers all in order, each naming those before it, with one event each', async () => {
    const publications = await batch([plus, above, pitch])
    publications[2] = { ...publications[2]!, metadata: '0x7b7d' }
    const dry = await attempt(publications)
    if (!dry.ok) throw new Error(dry.revertData)
    const { status, logs } = await node.send({
      from: owner,
      to: network.registry,
      data: calldata(publications),
    })
    expect(status).toBe('success')
    const events = publishedEvents(network.registry, logs)
    expect(events.map(({ name, nonce }) => [name, nonce])).toEqual([
      ['Plus', 0n],
      ['Above', 1n],
      ['Pitch', 2n],
    ])
    expect(events.map(({ metadataHash }) => metadataHash)).toEqual([
      keccak256('0x'),
      keccak256('0x'),
      keccak256('0x7b7d'),
    ])
    const returned = decodeFunctionResult({
      abi: registryAbi,
      functionName: 'publishBatch',
      data: dry.output,
    })
    expect(returned.map((address) => address.toLowerCase())).toEqual(events.map(({ address }) => address))
    expect(await nonceOf(owner)).toBe(3n)
    const run = await network.generate('Pitch', 3)
    expect(run.ok).toBe(true)
  })

  test('of another sender stands on one signature of the owner', async () => {
    const publications = await batch([plus, above, pitch])
    const signature = await signBatch(devAccount(0), publications, target())
    const receipt = await node.send({
      from: stranger,
      to: network.registry,
      data: calldata(publications, signature),
    })
    expect(receipt.status).toBe('success')
    expect(publishedEvents(network.registry, receipt.logs).map((event) => event.owner)).toEqual(
      Array(3).fill(owner.toLowerCase()),
    )
    expect(await nonceOf(stranger)).toBe(0n)
    expect(errorOf(await attempt(publications, signature, stranger))).toBe('InvalidAccountNonce')
  })

  test('is all or nothing', async () => {
    await network.publish(above)
    const publications = await batch([plus, above], { nonce: 1n })
    publications[1] = { ...publications[1]!, nonce: 2n }
    const receipt = await node.send({ from: owner, to: network.registry, data: calldata(publications) })
    expect(receipt).toMatchObject({ status: 'reverted', logs: [] })
    expect(errorOf(await attempt(publications))).toBe('ConditionAlreadyRegistered')
    expect(await network.address('transformation', 'Plus')).toBe(NOWHERE)
    expect(await nonceOf(owner)).toBe(1n)
  })

  test('cannot name what comes later in it', async () => {
    expect(errorOf(await attempt(await batch([pitch, plus, above])))).toBe('TransformationMissing')
    expect(errorOf(await attempt(await batch([plus, pitch, above])))).toBe('ConditionMissing')
  })

  test('is of one owner and not empty, and its nonces follow each other', async () => {
    expect(errorOf(await attempt([]))).toBe('EmptyBatch')
    expect(errorOf(await attempt([], '0x', stranger))).toBe('EmptyBatch')
    const [first, second] = (await batch([plus, above])) as [PublicationTuple, PublicationTuple]
    const foreign = { ...second, owner: stranger, nonce: 0n }
    const mismatch = encodeErrorResult({ abi: registryAbi, errorName: 'BatchOwnerMismatch', args: [1n] })
    for (const from of [owner, stranger]) {
      for (const signature of ['0x', await signBatch(devAccount(0), [first, foreign], target())] as const) {
        expect(await attempt([first, foreign], signature, from)).toEqual({ ok: false, revertData: mismatch })
      }
    }
    for (const nonce of [0n, 2n]) {
      expect(errorOf(await attempt([first, { ...second, nonce }]))).toBe('InvalidAccountNonce')
    }
    expect(errorOf(await attempt([first, { ...second, deadline: 1n }]))).toBe('PublicationExpired')
    expect(errorOf(await attempt([first, second]))).toBe('none')
  })
})

describe('a signature', () => {
  test('of one publication is none of a batch, nor the other way round', async () => {
    const [publication] = (await batch([plus])) as [PublicationTuple]
    const single = await signPublication(devAccount(0), publication, target())
    const whole = await signBatch(devAccount(0), [publication], target())
    expect(errorOf(await attempt([publication], single, stranger))).toBe('InvalidSignature')
    expect(errorOf(await network.tryPublish(publication, whole, stranger))).toBe('InvalidSignature')
    expect(errorOf(await attempt([publication], whole, stranger))).toBe('none')
    expect(errorOf(await network.tryPublish(publication, single, stranger))).toBe('none')
  })

  test('of a batch is none of a part of it, of more than it or of anything changed in it', async () => {
    const three = await batch([plus, above, pitch])
    const [first, second] = three as [PublicationTuple, PublicationTuple]
    const signature = await signBatch(devAccount(0), [first, second], target())
    const changed = { ...second, metadata: '0x00' as const }
    for (const publications of [
      [first],
      three,
      [first, changed],
      [first, { ...second, deadline: 2n ** 41n }],
    ]) {
      expect(errorOf(await attempt(publications, signature, stranger))).toBe('InvalidSignature')
    }
    // In the owner's own hand a wrong signature is wrong as well; an empty one is the owner's call.
    expect(errorOf(await attempt([first], signature, owner))).toBe('InvalidSignature')
    expect(errorOf(await attempt([first, second], '0x', stranger))).toBe('InvalidSignature')
    expect(errorOf(await attempt([first, second], signature, stranger))).toBe('none')
  })

  test('has one form: neither its mirror image nor its compact form is accepted', async () => {
    const publications = await batch([plus])
    const signature = await signBatch(devAccount(0), publications, target())
    const { r, s, yParity } = parseSignature(signature)
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const mirrored = serializeSignature({
      r,
      s: toHex(order - hexToBigInt(s), { size: 32 }),
      yParity: yParity === 0 ? 1 : 0,
    })
    const compact = `${r}${toHex(hexToBigInt(s) | (BigInt(yParity) << 255n), { size: 32 }).slice(2)}` as Hex
    for (const other of [mirrored, compact, `${signature}00` as Hex]) {
      expect(errorOf(await attempt(publications, other, stranger))).toBe('InvalidSignature')
    }
  })

  test('calls an owner contract statically: it cannot change state', async () => {
    const [wallet] = compileContracts(join(import.meta.dirname, '../..'), ['test/ReentrantWallet.sol'])
    const inner = await network.publication(above, { owner: stranger })
    const call = encodeFunctionData({
      abi: registryAbi,
      functionName: 'publish',
      args: [inner, await signPublication(devAccount(1), inner, target())],
    })
    // The inner call alone is valid.
    expect((await node.call(network.registry, call, owner)).ok).toBe(true)
    const { address } = await node.send({
      data: encodeDeployData({
        abi: wallet!.abi,
        bytecode: wallet!.bytecode,
        args: [network.registry, call],
      }),
    })
    const publications = await batch([plus], { owner: address! })
    const receipt = await node.send({
      from: owner,
      to: network.registry,
      data: calldata(publications, '0x01'),
    })
    expect(receipt.status).toBe('success')
    expect(publishedEvents(network.registry, receipt.logs).map(({ name }) => name)).toEqual(['Plus'])
    expect(await network.address('condition', 'Above')).toBe(NOWHERE)
  })
})

describe('calldata in another layout than the plain one', () => {
  const WORD = 64
  const word = (value: number | bigint) => value.toString(16).padStart(WORD, '0')
  /** Replaces a word of `publish` calldata, counted from where the struct begins. */
  const withWord = (data: Hex, index: number, value: number | bigint): Hex => {
    const at = 10 + 2 * WORD + index * WORD
    return `${data.slice(0, at)}${word(value)}${data.slice(at + WORD)}` as Hex
  }
  const METADATA = 7
  const PAYLOAD = 6
  const offsetAt = (data: Hex, index: number) => {
    const at = 10 + 2 * WORD + index * WORD
    return BigInt(`0x${data.slice(at, at + WORD)}`)
  }

  test('metadata that shares the bytes of the payload has the hash of what it decodes to', async () => {
    const publication = await network.publication(plus, { metadata: '0x7b7d' })
    const plain = encodeFunctionData({ abi: registryAbi, functionName: 'publish', args: [publication, '0x'] })
    const data = withWord(plain, METADATA, offsetAt(plain, PAYLOAD))
    const receipt = await node.send({ from: owner, to: network.registry, data })
    const [event] = publishedEvents(network.registry, receipt.logs)
    expect(event?.metadataHash).toBe(keccak256(publication.payload))
    expect(decodePublish(data)).toMatchObject({
      canonical: false,
      publication: { metadata: publication.payload },
    })
  })

  test('metadata outside the calldata is refused', async () => {
    const publication = await network.publication(plus, { metadata: '0x7b7d' })
    const plain = encodeFunctionData({ abi: registryAbi, functionName: 'publish', args: [publication, '0x'] })
    const end = BigInt(size(plain)) - 4n - 64n
    for (const offset of [end, end - 31n, 2n ** 64n, 2n ** 255n, 2n ** 256n - 32n]) {
      expect((await node.call(network.registry, withWord(plain, METADATA, offset), owner)).ok).toBe(false)
    }
  })

  test('a publication that stands twice in a batch is registered not even once', async () => {
    const publications = await batch([plus, plus])
    const plain = calldata(publications)
    // Both offsets of the array lead to the first publication.
    const array = 10 + 2 * WORD + WORD
    const both = `${plain.slice(0, array + WORD)}${plain.slice(array, array + WORD)}${plain.slice(array + 2 * WORD)}`
    expect(errorOf(await node.call(network.registry, both as Hex, owner))).toBe('InvalidAccountNonce')
  })
})

describe('metadata', () => {
  test('has at most 8192 bytes', async () => {
    const most: Hex = `0x${'61'.repeat(8192)}`
    const publication = await network.publication(plus, { metadata: most })
    expect((await network.tryPublish(publication)).ok).toBe(true)
    const answer = await network.tryPublish({ ...publication, metadata: `${most}61` })
    expect(errorOf(answer)).toBe('MetadataTooLong')
    expect(errorOf(await attempt([{ ...publication, metadata: `${most}61` }]))).toBe('MetadataTooLong')
  })
})
