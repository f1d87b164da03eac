import { expect, test } from 'vitest'
import { contentId } from '#lib/protocol/content-id.ts'

/** Bytes that no two blocks repeat. */
function bytes(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 8)) & 255)
}

test.each([
  [0, 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'],
  [1, 'bafkreidogqfzz75tpkmjzjke425xqcrmpcib2p5tg44hnbirumdbpl5adu'],
  [262_144, 'bafkreicyf2rsjlabvogs5vfihpzfegm2q5hjwrohaneftr2crm6gsnlznm'],
  [262_145, 'bafybeidgoqoyg4yhalu6oks2gnsjbs74tnoepwkl77plj4i4rd6lhvt424'],
  [600_000, 'bafybeibusxrtljsia6kaurxl7qmvh4vvhqn43pw25i5fhayz5gdvffkqhu'],
])('%i bytes have the id that ipfs-unixfs-importer 17 gives them', (length, id) => {
  expect(contentId(bytes(length))).toBe(id)
})

test('more blocks than one node links to stand in a tree of two levels', () => {
  expect(contentId(bytes(262_144 * 174 + 1))).toBe(
    'bafybeibceeiwyvx3pxrrewxawlbhjvw5ia7lqgj7pt6zjsw56m6vxph5dq',
  )
})
