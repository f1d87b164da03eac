import { concatHex, keccak256, stringToHex, toHex } from 'viem'
import { expect, test } from 'vitest'
import { encodePublish, encodePublishBatch, type Publication } from '#lib/chain/publication-calldata.ts'
import type { PublishedEvent } from '#lib/chain/published-event.ts'
import { findMetadata } from '#lib/core/indexer/find-metadata.ts'
import type { Hex } from '#lib/protocol/entity.ts'
import { cpuTime } from '#test/support/cpu-time.ts'

async function pause() {}
const OWNER: Hex = `0x${'a1'.repeat(20)}`

function publication(i: number, metadata: Hex = stringToHex(`words of ${i}`)): Publication {
  return {
    kind: (['transformation', 'condition', 'connector'] as const)[i % 3]!,
    name: 'n'.repeat((i * 37) % 128 || 1),
    owner: OWNER,
    contentHash: keccak256(toHex(i)),
    nonce: BigInt(i),
    deadline: 2n ** 40n,
    payload: `0x${'5b'.repeat((i * 61) % 300)}`,
    metadata,
  }
}
function eventOf({ kind, name, owner, contentHash, nonce, metadata }: Publication): PublishedEvent {
  return { kind, name, owner, address: OWNER, contentHash, metadataHash: keccak256(metadata), nonce }
}
function bytes(hex: Hex) {
  return Buffer.from(hex.slice(2), 'hex')
}

/** Metadata for each of them, in order; undefined where there is none. */
async function found(calldata: Hex, publications: readonly Publication[]): Promise<(string | undefined)[]> {
  const events = publications.map(eventOf)
  const metadata = await findMetadata(bytes(calldata), events, pause)
  return events.map((event) => metadata.get(event)?.toString())
}

test('metadata is found in a call, in a batch, and in wrapping calls at any offset', async () => {
  const all = Array.from({ length: 40 }, (_, i) => publication(i))
  const words = all.map((_, i) => `words of ${i}`)
  expect(await found(encodePublish(all[0]!, `0x${'11'.repeat(65)}`), [all[0]!])).toEqual(['words of 0'])
  expect(await found(encodePublishBatch(all, '0x11'), all)).toEqual(words)
  for (let shift = 0; shift < 32; shift++) {
    const calls = all.slice(0, 3).map((each) => concatHex([`0x${'ff'.repeat(shift)}`, encodePublish(each)]))
    expect(await found(concatHex([`0x${'00'.repeat(shift)}`, ...calls]), all.slice(0, 3))).toEqual(
      words.slice(0, 3),
    )
  }
})

test('metadata of the maximum length is found, longer metadata is not', async () => {
  const longest = publication(1, `0x${'61'.repeat(8192)}`)
  expect(await found(encodePublish(longest), [longest])).toEqual(['a'.repeat(8192)])
  const longer = publication(1, `0x${'61'.repeat(8193)}`)
  expect(await found(encodePublish(longer), [longer])).toEqual([undefined])
})

test('nothing is found for other facts, another layout or a truncated publication', async () => {
  const honest = publication(4)
  for (const change of [
    { owner: `0x${'b2'.repeat(20)}` as Hex },
    { nonce: 5n },
    { kind: 'connector' as const },
    { contentHash: keccak256('0x99') },
    { metadata: stringToHex('other words') },
  ]) {
    expect(await found(encodePublish({ ...honest, ...change }), [honest])).toEqual([undefined])
  }
  const calldata = encodePublish(honest)
  for (let length = 2; length < calldata.length - 2 * 64; length += 64) {
    expect(await found(calldata.slice(0, length) as Hex, [honest])).toEqual([undefined])
  }
  // Each word in turn.
  const words = calldata.slice(10).match(/.{64}/g)!
  const changed = await Promise.all(
    words.map((_, i) =>
      found(`0x00000000${words.map((word, n) => (n === i ? 'f'.repeat(64) : word)).join('')}`, [honest]),
    ),
  )
  // Kind, offset of the name, owner, content hash, nonce, offsets of payload and metadata; not the deadline.
  for (const word of [2, 3, 4, 5, 6, 8, 9]) expect(changed[word]).toEqual([undefined])
})

test('false heads before the right one are skipped, in time linear in the calldata', async () => {
  const honest = publication(3)
  const decoy = encodePublish({ ...honest, metadata: stringToHex('false') })
  expect(await found(concatHex([decoy, decoy, encodePublish(honest)]), [honest])).toEqual(['words of 3'])

  const head = `${'00'.repeat(30)}0100`
  const hostile: Hex[] = [
    `0x${'00'.repeat(1_000_000)}`,
    `0x${head.repeat(31_250)}`,
    `0x${'0100'.repeat(500_000)}`,
    concatHex(Array.from({ length: 2_000 }, () => decoy)),
    concatHex(
      Array.from({ length: 120 }, () => encodePublish({ ...honest, metadata: `0x${'61'.repeat(8192)}` })),
    ),
  ]
  for (const calldata of hostile) expect(await cpuTime(() => found(calldata, [honest]))).toBeLessThan(3_000)
})
