import 'fake-indexeddb/auto'
import { openDB } from 'idb'
import { expect, test } from 'vitest'
import { createCompiledBodies } from '#lib/studio/runs/known-artifacts.ts'
import { browserBodyStorage } from '#lib/studio/runs/stored-bodies.ts'

function body(source: string) {
  return { kind: 'transformation', name: 'climb', sol_src: source } as const
}
const answer = {
  kind: 'transformation',
  name: 'climb',
  args_count: 2,
  runtime: '0x6001',
  error: null,
} as never

test('what a page compiled, the next one finds; what is no code is left out', async () => {
  const first = createCompiledBodies(browserBodyStorage())
  await first.ready
  expect(first.find([body('a')])).toBeUndefined()
  first.learn([body('a')], [answer])
  await expect
    .poll(async () => {
      const next = createCompiledBodies(browserBodyStorage())
      await next.ready
      return next.find([body('a')])
    })
    .toEqual([{ kind: 'transformation', name: 'climb', argsCount: 2, runtime: '0x6001' }])

  const database = await openDB('weft-compiled')
  await database.put('bodies', { key: 'transformation b', argsCount: 1, runtime: 'alert(1)', usedAtMs: 0 })
  await database.put('bodies', { key: 'transformation c', argsCount: 'x', runtime: '0x', usedAtMs: 0 })
  database.close()
  const next = createCompiledBodies(browserBodyStorage())
  await next.ready
  expect(next.find([body('b')])).toBeUndefined()
  expect(next.find([body('c')])).toBeUndefined()
  expect(next.find([body('a')])).toBeDefined()
})

test('no more are stored than a browser has room for', async () => {
  const storage = browserBodyStorage()
  storage.save(
    Array.from({ length: 700 }, (_, index) => ({ key: `k${index}`, argsCount: 0, runtime: '0x' as const })),
  )
  await expect.poll(async () => (await storage.load()).length).toBe(500)
})
