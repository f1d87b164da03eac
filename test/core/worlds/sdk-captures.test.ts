import { afterEach, describe, expect, test, vi } from 'vitest'
import type { WorldMessage } from '#lib/core/worlds/sdk/host.ts'
import { MESSAGE } from '#lib/core/worlds/sdk/protocol.ts'
import { codeOf, delivered, disposeAll, pair, TOKEN } from './support/sdk-pair.ts'

/** As much of a browser that records clips as the page asks before it has a frame. */
function recordsClips(): void {
  vi.stubGlobal(
    'MediaRecorder',
    Object.assign(() => {}, { isTypeSupported: () => true }),
  )
  vi.stubGlobal('HTMLCanvasElement', { prototype: { captureStream: () => {} } })
  vi.stubGlobal('document', {
    baseURI: 'http://site.test/',
    createElement: () => ({ getContext: () => ({}) }),
  })
}

afterEach(() => {
  vi.unstubAllGlobals()
  disposeAll()
})

describe('captures', () => {
  const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
  const png = (width = 2, height = 2, more = 0) => {
    const sides = new DataView(new ArrayBuffer(8))
    sides.setUint32(0, width)
    sides.setUint32(4, height)
    return new Blob([new Uint8Array(PNG), sides, new Uint8Array(more)], { type: 'text/html' })
  }

  /** A page with a World that answers by hand. */
  function handmade(captures: unknown = ['clip', 'frame', 'picture', 'constructor']) {
    const seen: WorldMessage[] = []
    const { at, host, sdk } = pair({ onMessage: (message) => seen.push(message) })
    sdk.dispose()
    const asked: { requestId: string; kind: string }[] = []
    at.world.addEventListener('message', (event) => {
      const { data } = event as MessageEvent
      if (data.type === MESSAGE.capture) asked.push(data)
    })
    const send = (type: string, fields: object) =>
      at.page.receive(
        { type, worldId: 'world', channelToken: TOKEN, ...fields },
        at.world.as(at.page),
        'null',
      )
    send(MESSAGE.ready, { protocolVersion: 1, captures })
    return { host, asked, seen, answer: (fields: object) => send(MESSAGE.captured, fields) }
  }

  test('a picture is given its type by its bytes; answers not asked for, second and late have no effect', async () => {
    const { host, asked, answer } = handmade()
    answer({ requestId: 'capture-1', ok: true, file: png() })
    const picture = host.capture('picture')
    await delivered()
    expect(asked).toMatchObject([{ requestId: 'capture-1', kind: 'picture' }])
    expect(await codeOf(host.capture('picture'))).toBe('busy')
    answer({ requestId: 'capture-7', ok: false, message: 'of another' })
    answer({ requestId: 'capture-1', ok: true, file: png(640, 480) })
    answer({ requestId: 'capture-1', ok: false, message: 'the second' })
    expect(await picture).toMatchObject({ type: 'image/png', size: 24 })
  })

  test.each([
    ['no pixels', { width: 2, height: 2 }],
    ['fewer pixels than it says', { width: 2, height: 2, pixels: new ArrayBuffer(12) }],
    ['pixels that are no bytes', { width: 1, height: 1, pixels: [0, 0, 0, 0] }],
    ['sides that are no numbers', { width: '2', height: 2, pixels: new ArrayBuffer(16) }],
    ['a side between two pixels', { width: 0.5, height: 2, pixels: new ArrayBuffer(4) }],
    ['an empty frame', { width: 0, height: 0, pixels: new ArrayBuffer(0) }],
    ['a frame larger than it was asked for', { width: 1921, height: 1, pixels: new ArrayBuffer(7684) }],
    ['a finished clip', { file: new Blob([Uint8Array.of(0x1a, 0x45, 0xdf, 0xa3)], { type: 'video/webm' }) }],
  ])('a World that answers with %s makes no clip, and may be asked again', async (_what, fields) => {
    recordsClips()
    const { host, asked, answer } = handmade()
    for (const attempt of [0, 1]) {
      const clip = codeOf(host.capture('clip', 99))
      await delivered()
      expect(asked[attempt]).toMatchObject({ kind: 'frame', width: 1920, height: 1920 })
      answer({ requestId: asked[attempt]?.requestId, ok: true, ...fields })
      expect(await clip).toBe('bad_answer')
    }
  })

  test('the pixels of a frame do not reach inspectors, which hold hundreds of messages', async () => {
    recordsClips()
    const { host, asked, seen, answer } = handmade()
    const clip = codeOf(host.capture('clip'))
    await delivered()
    answer({ requestId: asked[0]?.requestId, ok: true, width: 2, height: 2, pixels: new ArrayBuffer(12) })
    await clip
    expect(seen.at(-1)).toMatchObject({ type: MESSAGE.captured, fields: { width: 2, height: 2 } })
    expect(seen.at(-1)?.fields).not.toHaveProperty('pixels')
  })

  test('clips are made of what the World has: frames, or pictures of an SDK without them; and nothing where nothing records', async () => {
    const unable = handmade()
    expect(await codeOf(unable.host.capture('clip'))).toBe('unsupported')
    recordsClips()
    const { host, asked } = handmade(['clip', 'picture'])
    const clip = codeOf(host.capture('clip'))
    await delivered()
    expect(asked).toMatchObject([{ kind: 'picture' }])
    host.dispose()
    expect(await clip).toBe('disposed')
    expect(await codeOf(handmade(['clip']).host.capture('clip'))).toBe('unsupported')
  })

  test('a picture that is too large to be decoded many times a second is no frame of a clip', async () => {
    recordsClips()
    const { host, asked, answer } = handmade(['picture'])
    const clip = codeOf(host.capture('clip'))
    await delivered()
    answer({ requestId: asked[0]?.requestId, ok: true, file: png(8192, 8192) })
    expect(await clip).toBe('bad_answer')
  })

  test.each([
    ['no file', { ok: true }],
    ['text', { ok: true, file: '<b>' }],
    ['bytes of something else', { ok: true, file: new Blob(['<script>'], { type: 'image/png' }) }],
    ['a cut picture', { ok: true, file: new Blob([new Uint8Array(PNG)]) }],
    ['a picture larger than viewers have memory for', { ok: true, file: png(60_000, 60_000) }],
    ['an empty picture', { ok: true, file: png(0, 1) }],
    ['more than 64 MiB', { ok: true, file: png(2, 2, 64 * 1024 * 1024) }],
    ['neither yes nor no', { ok: 'yes', file: png() }],
  ])('a World that answers with %s is refused, and may be asked again', async (_what, fields) => {
    const { host, asked, answer } = handmade()
    const first = codeOf(host.capture('picture'))
    await delivered()
    answer({ requestId: asked[0]?.requestId, ...fields })
    expect(await first).toBe('bad_answer')
    const second = host.capture('picture')
    await delivered()
    answer({ requestId: asked[1]?.requestId, ok: true, file: png() })
    expect((await second).size).toBe(24)
  })

  test('a reason of the World is text of a bounded length', async () => {
    const { host, asked, answer } = handmade()
    const refused = host.capture('picture').catch((error: Error) => error.message)
    await delivered()
    answer({ requestId: asked[0]?.requestId, ok: false, message: 'x'.repeat(5000) })
    expect(await refused).toHaveLength(300)
  })

  test('what a World does not offer is not asked for, and one that is stopped answers nothing more', async () => {
    expect(await codeOf(pair().host.capture('picture'))).toBe('unsupported')
    for (const captures of [{ 0: 'picture' }, 'picture', [['picture']], null]) {
      expect(await codeOf(handmade(captures).host.capture('picture'))).toBe('unsupported')
    }
    const { host } = handmade()
    const open = codeOf(host.capture('picture'))
    host.dispose()
    expect(await open).toBe('disposed')
  })

  test('a World that does not answer has ten seconds, for a picture and for the first frame of a clip', async () => {
    vi.useFakeTimers()
    try {
      recordsClips()
      for (const kind of ['picture', 'clip'] as const) {
        const { host } = handmade()
        const outcomes: unknown[] = []
        void codeOf(host.capture(kind, 30)).then((outcome) => outcomes.push(outcome))
        await vi.advanceTimersByTimeAsync(9_900)
        expect(outcomes).toEqual([])
        await vi.advanceTimersByTimeAsync(200)
        expect(outcomes).toEqual(['timeout'])
      }
    } finally {
      vi.useRealTimers()
    }
  })
})
