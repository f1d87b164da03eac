import { expect, onTestFinished, test } from 'vitest'
import type { LibraryEntity } from '#lib/studio/document/parts.ts'
import { createLiveLibrary } from '#lib/studio/library/live-library.ts'

const OWNER = '0x00000000000000000000000000000000000000aa'

function entity(name: string, address: LibraryEntity['address']): LibraryEntity {
  return { kind: 'condition', name, owner: OWNER, address, contentHash: '0x00', argsCount: 1 }
}

test('another reader does not see the drafts of the one before', async () => {
  let drafts = [entity('mine', undefined)]
  const library = createLiveLibrary(async (names) =>
    [...drafts, entity('public', OWNER)].filter((each) => names.some(({ name }) => name === each.name)),
  )
  onTestFinished(library.start())
  library.readAs(OWNER)
  const names = ['mine', 'public'].map((name) => ({ kind: 'condition', name }) as const)
  await library.read(names)
  library.readAs(OWNER)
  expect(names.map(({ kind, name }) => typeof library.find(kind, name))).toEqual(['object', 'object'])

  drafts = []
  const before = library.getState()
  library.readAs('visitor')
  expect(library.find('condition', 'mine')).toBe('unknown')
  expect(library.find('condition', 'public')).toMatchObject({ address: OWNER })
  expect(library.getState()).not.toBe(before)
  await expect.poll(() => library.find('condition', 'mine')).toBe('absent')
})
