import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Stills } from '#lib/studio/library/stills.ts'

/* Pictures that go with drafts, as the site is asked for them. */

const HASH = 'ab'.repeat(32)
/** Longer than a pause between attempts. */
const SOON_MS = 2_000

let requests: string[]
let stills: Stills
let answerPut: () => Promise<Response>

beforeEach(() => {
  vi.useFakeTimers()
  requests = []
  stills = new Stills()
  answerPut = async () => new Response(null, { status: 204 })
  vi.stubGlobal('fetch', async (path: string, { method = 'GET' }: RequestInit = {}) => {
    if (path === '/studio/api/entities') {
      const connector = { name: 'dawn', owner: 'a1'.repeat(20), address: '0x', content_hash: `0x${HASH}` }
      const definition = { dimensions: [], condition_name: '', condition_args: [], static_ri: {} }
      const words = { format_hash: HASH, title: null, present: null }
      const connectors = [{ ...connector, ...definition, ...words }]
      return Response.json({ connectors, transformations: [], conditions: [] })
    }
    requests.push(`${method} ${path}`)
    return method === 'PUT' ? answerPut() : new Response(null, { status: 204 })
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const PUT = 'PUT /studio/api/pieces/dawn/still'
const DELETE = 'DELETE /studio/api/pieces/dawn/still'

function store(picture: Blob): Promise<void> {
  return stills.store('dawn', `0x${HASH}`, picture)
}

test('a picture is stored once, and taken back where its author declines it', async () => {
  const picture = new Blob(['1'])
  const stored = store(picture)
  await vi.advanceTimersByTimeAsync(SOON_MS)
  await stored
  await store(picture)
  expect(requests).toEqual([PUT])
  await stills.takeBack('dawn')
  await stills.takeBack('dawn')
  expect(requests).toEqual([PUT, DELETE])
})

test('one that waits is not sent any more', async () => {
  for (const end of ['takeBack', 'remove'] as const) {
    const stored = store(new Blob(['2']))
    await stills[end]('dawn')
    await vi.advanceTimersByTimeAsync(SOON_MS)
    await stored
  }
  expect(requests).toEqual([DELETE])
})

test('one that is declined while it is sent is taken back then', async () => {
  let arrive = () => {}
  answerPut = () =>
    new Promise((resolve) => {
      arrive = () => resolve(new Response(null, { status: 204 }))
    })
  const stored = store(new Blob(['3']))
  await vi.advanceTimersByTimeAsync(SOON_MS)
  expect(requests).toEqual([PUT])
  await stills.takeBack('dawn')
  expect(requests).toEqual([PUT])
  arrive()
  await stored
  expect(requests).toEqual([PUT, DELETE])
})
