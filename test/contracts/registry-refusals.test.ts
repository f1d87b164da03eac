import { encodeErrorResult, keccak256, toHex, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { registryAbi } from '#lib/protocol/abi.ts'
import type { BuiltArtifact } from '#lib/protocol/artifact.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import type { Hex } from '#lib/protocol/entity.ts'
import { type ConnectorSketch, define } from '#test/support/definitions.ts'
import {
  errorOf,
  freshRegistryPerTest,
  network,
  node,
  owner,
  plus,
  send,
  sign,
  stranger,
} from './fresh-registry.ts'
import { codeArtifact } from './network.ts'

const times = codeArtifact('transformation', 'Plus', 'return x * args[0];')

freshRegistryPerTest()

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
