import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHUNK_BYTES } from '#lib/core/worlds/serve-file.ts'
import { listSource, readSource } from '#lib/core/worlds/world-source.ts'
import { startApi, type TestApi } from '#test/support/api.ts'
import { installWorld } from './support/install-world.ts'

const LARGE = new Uint8Array(2 * CHUNK_BYTES + 7).map((_, index) => index % 251)
const FILES = {
  'index.html': '<!doctype html><title>World</title><script>start()</script>',
  'js/world.js': 'start()',
  'js/strict.mjs': `'use strict'; start()`,
  'empty.js': '',
  'a b/ü #?.txt': 'text',
  'data.json': '{}',
  'large.bin': LARGE,
  'answer.wasm': Uint8Array.of(0, 97, 115, 109),
  'image.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  toString: 'no extension',
  '__proto__.txt': 'ordinary',
}

let api: TestApi
beforeAll(async () => {
  api = await startApi('services', {
    siteOrigin: 'https://weft.example',
    assetOrigin: 'https://worlds.example',
    allowedOrigins: ['https://weft.example', 'https://studio.example'],
  })
  await installWorld(api.services, 'w1', FILES)
  await installWorld(api.services, 'w2', FILES, ['browser.audio', 'browser.downloads'])
})
afterAll(() => api.close())

function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return api.send(method, `/world-assets/${path}`, { headers })
}

describe('GET /world-assets/{id}/{path}', () => {
  test.each([
    ['index.html', 'text/html; charset=utf-8'],
    ['js/world.js', 'text/javascript; charset=utf-8'],
    ['js/strict.mjs', 'text/javascript; charset=utf-8'],
    ['data.json', 'application/json'],
    ['answer.wasm', 'application/wasm'],
    ['image.svg', 'image/svg+xml; charset=utf-8'],
    ['a%20b/%C3%BC%20%23%3F.txt', 'text/plain; charset=utf-8'],
    ['__proto__.txt', 'text/plain; charset=utf-8'],
  ])('%s is %s, for frames without an origin', async (path, type) => {
    const { status, headers } = await get(`w1/${path}`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe(type)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-dns-prefetch-control')).toBe('off')
    expect(headers.get('cache-control')).toBe('no-cache')
  })

  describe('as a top-level document', () => {
    const opened = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' }

    test.each(['GET', 'HEAD'])(
      '%s of a page leads to the page of the site that shows the World',
      async (method) => {
        const { status, headers, text } = await get('w1/index.html', opened, method)
        expect([status, headers.get('location'), text]).toEqual([302, 'https://weft.example/worlds/w1', ''])
        expect(headers.get('vary')).toContain('Sec-Fetch-Dest')
        expect(headers.get('cache-control')).toBe('no-cache')
      },
    )

    test('a page that was seen in a frame is not taken from a cache', async () => {
      const { headers } = await get('w1/index.html', { 'sec-fetch-dest': 'iframe' })
      expect(headers.get('vary')).toContain('Sec-Fetch-Dest')
      const again = await get('w1/index.html', { ...opened, 'if-none-match': headers.get('etag') ?? '' })
      expect(again.status).toBe(302)
    })

    test.each(['iframe', 'empty', undefined])('and not with the destination %s', async (destination) => {
      const { status } = await get('w1/index.html', destination ? { 'sec-fetch-dest': destination } : {})
      expect(status).toBe(200)
    })

    test('other documents are served, without scripts and refreshes', async () => {
      const { status, headers } = await get('w1/image.svg', opened)
      expect(status).toBe(200)
      expect(headers.get('content-security-policy')).toMatch(/script-src 'none'.*; sandbox$/)
    })

    test('an unknown page is unknown', async () => {
      expect((await get('w1/none.html', opened)).status).toBe(404)
    })
  })

  test('scripts begin with the prelude, strict ones stay strict, other files are as they are', async () => {
    expect((await get('w1/js/world.js')).text).toMatch(
      /^\{const g=globalThis;.*delete g\.RTCPeerConnection;.*\}start\(\)$/,
    )
    expect((await get('w1/js/strict.mjs')).text).toMatch(/^'use strict';\{.*\}'use strict'; start\(\)$/)
    expect((await get('w1/empty.js')).text).toMatch(/^\{.*\}$/)
    expect((await get('w1/data.json')).text).toBe('{}')
    expect((await get('w1/index.html')).text).not.toContain('start()')
  })

  test('a large file arrives whole, and in parts', async () => {
    const whole = await get('w1/large.bin')
    expect(Buffer.compare(whole.bytes, LARGE)).toBe(0)
    expect(whole.headers.get('content-length')).toBe(String(LARGE.byteLength))
    expect(whole.headers.get('accept-ranges')).toBe('bytes')
    const size = LARGE.byteLength
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 1],
      ['bytes=5-9', 5, 10],
      [`bytes=${CHUNK_BYTES - 1}-${CHUNK_BYTES}`, CHUNK_BYTES - 1, CHUNK_BYTES + 1],
      ['bytes=100-', 100, size],
      ['bytes=-7', size - 7, size],
      [`bytes=-${size * 2}`, 0, size],
      [`bytes=9-${size * 2}`, 9, size],
    ] as const) {
      const part = await get('w1/large.bin', { range })
      expect([range, part.status]).toEqual([range, 206])
      expect(part.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${size}`)
      expect(Buffer.compare(part.bytes, LARGE.subarray(start, end))).toBe(0)
    }
  })

  test('a range of a script counts its prelude', async () => {
    const { text } = await get('w1/js/world.js')
    const at = text.length - 'start()'.length
    expect((await get('w1/js/world.js', { range: `bytes=${at - 1}-` })).text).toBe('}start()')
    expect((await get('w1/js/world.js', { range: 'bytes=0-5' })).text).toBe('{const')
    expect((await get('w1/js/world.js', { range: 'bytes=-3' })).text).toBe('t()')
  })

  test.each(['bytes=1-0', 'bytes=-', 'bytes=0-1,3-4', 'lines=0-1', 'nonsense', 'bytes=a-b'])(
    'the range %j is answered in full',
    async (range) => {
      expect((await get('w1/data.json', { range })).status).toBe(200)
    },
  )

  test.each(['bytes=2-', 'bytes=-0', 'bytes=999999999999-'])(
    'the range %j holds nothing: 416',
    async (range) => {
      const answer = await get('w1/data.json', { range })
      expect([answer.status, answer.headers.get('content-range'), answer.text]).toEqual([
        416,
        'bytes */2',
        '',
      ])
    },
  )

  test('an ETag saves sending the same again', async () => {
    const etag = (await get('w1/js/world.js')).headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[0-9a-f]{64}-\d+"$/)
    for (const name of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const answer = await get('w1/js/world.js', { 'if-none-match': name })
      expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([304, '', etag])
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    }
    expect((await get('w1/js/world.js', { 'if-none-match': '"x"' })).status).toBe(200)
    expect((await get('w1/__proto__.txt', { range: 'bytes=0-0', 'if-range': '"x"' })).status).toBe(200)
    const same = (await get('w1/__proto__.txt')).headers.get('etag') ?? ''
    expect((await get('w1/__proto__.txt', { range: 'bytes=0-0', 'if-range': same })).status).toBe(206)
  })

  test.each([
    'w0/index.html',
    'w1/nothing.html',
    'w1/js',
    'w1/INDEX.html',
    'w1/toString',
    'w1/constructor',
    'w1/%00',
    'w1/%ff',
    '__proto__/index.html',
  ])('%s is 404, in words', async (path) => {
    const answer = await get(path)
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(answer.text).not.toBe('')
  })

  test.each(['w1/js/', 'w1/..%2fw2/index.html', 'w1/js%2Fworld.js', 'w1//index.html'])(
    '%s is no address of a file',
    async (path) => {
      expect((await get(path)).status).toBe(404)
    },
  )

  test.each([
    ['answer.wasm', 'script'],
    ['answer.wasm', 'webassembly'],
    ['image.svg', 'iframe'],
    ['image.svg', 'object'],
    ['data.json', 'embed'],
  ])('%s as a %s is 404: nothing runs before a prelude', async (path, destination) => {
    expect((await get(`w1/${path}`, { 'sec-fetch-dest': destination })).status).toBe(404)
    expect((await get(`w1/${path}`, { 'sec-fetch-dest': 'empty' })).status).toBe(200)
    expect((await get('w1/index.html', { 'sec-fetch-dest': 'iframe' })).status).toBe(200)
  })
})

describe('HEAD /world-assets/{id}/{path}', () => {
  test.each(['index.html', 'js/world.js', 'large.bin', 'empty.js'])(
    'of %s says what GET says',
    async (path) => {
      const [head, whole] = [await get(`w1/${path}`, {}, 'HEAD'), await get(`w1/${path}`)]
      expect([head.status, head.bytes.byteLength]).toEqual([200, 0])
      for (const name of [
        'content-type',
        'content-length',
        'etag',
        'content-security-policy',
        'permissions-policy',
      ]) {
        expect([name, head.headers.get(name)]).toEqual([name, whole.headers.get(name)])
      }
      expect(head.headers.get('content-length')).toBe(String(whole.bytes.byteLength))
    },
  )

  test('of nothing is an empty 404', async () => {
    const answer = await get('w1/nothing.html', {}, 'HEAD')
    expect([answer.status, answer.bytes.byteLength]).toEqual([404, 0])
  })
})

describe('the policy', () => {
  const policyOf = async (path: string) => {
    const text = (await get(path)).headers.get('content-security-policy') ?? ''
    return new Map(
      text.split('; ').map((part) => [part.split(' ')[0], part.split(' ').slice(1).join(' ')] as const),
    )
  }

  test('names the folder of the World and the SDK, and the pages that may show it', async () => {
    const policy = await policyOf('w1/index.html')
    const own = 'https://worlds.example/services/world-assets/w1/'
    expect(policy.get('default-src')).toBe("'none'")
    expect(policy.get('script-src')).toBe(`${own} https://worlds.example/services/js/sdk/ 'wasm-unsafe-eval'`)
    expect(policy.get('connect-src')).toBe(`${own} data: blob:`)
    expect(policy.get('frame-ancestors')).toBe('https://weft.example https://studio.example')
    for (const name of ['worker-src', 'frame-src', 'object-src', 'base-uri', 'form-action']) {
      expect([name, policy.get(name)]).toEqual([name, "'none'"])
    }
    expect(policy.get('webrtc')).toBe("'block'")
    expect(policy.get('sandbox')).toBe('allow-scripts')
    expect([...policy.values()].join(' ')).not.toMatch(/\*|'unsafe-eval'|script-src[^;]*unsafe-inline/)
  })

  test.each([
    ['an old Chromium on Linux', '"Not;A=Brand";v="8", "Chromium";v="147"', '"Linux"', false, false],
    ['an old Chromium elsewhere', '"Chromium";v="151", "Google Chrome";v="151"', '"macOS"', false, true],
    ['a new Chromium on Linux', '"Chromium";v="152"', '"Linux"', true, false],
    ['a browser that says nothing of itself', undefined, undefined, true, true],
  ])('leaves no message in the console of %s', async (_, brands, platform, webrtc, share) => {
    const hints = {
      ...(brands && { 'sec-ch-ua': brands }),
      ...(platform && { 'sec-ch-ua-platform': platform }),
    }
    const { headers } = await get('w1/index.html', hints)
    expect(headers.get('content-security-policy')?.includes("webrtc 'block'")).toBe(webrtc)
    expect(headers.get('permissions-policy')?.includes('web-share')).toBe(share)
    expect(headers.get('vary')).toContain('Sec-CH-UA, Sec-CH-UA-Platform')
    // What is no document writes nothing, and is stored for all browsers alike.
    const script = await get('w1/js/world.js', hints)
    expect(script.headers.get('content-security-policy')).toContain("webrtc 'block'")
    expect(script.headers.get('vary')).toBe('Sec-Fetch-Dest')
  })

  test('permissions add downloads and sound, nothing else', async () => {
    expect((await policyOf('w2/index.html')).get('sandbox')).toBe('allow-scripts allow-downloads')
    const [without, having] = await Promise.all(
      ['w1', 'w2'].map(async (id) => (await get(`${id}/index.html`)).headers.get('permissions-policy')),
    )
    expect(without).toContain('autoplay=()')
    expect(having).toBe(without?.replace('autoplay=()', 'autoplay=*'))
    expect(without).toContain('camera=()')
  })

  test('documents that are no pages run no scripts', async () => {
    for (const path of ['w1/image.svg', 'w1/data.json']) {
      const policy = await policyOf(path)
      expect([policy.get('script-src'), policy.get('sandbox')]).toEqual(["'none'", ''])
    }
  })
})

describe('the source of a World', () => {
  const context = () => ({ ...api.services, clock: () => new Date() })
  const textOf = async (id: string, path: string) =>
    new Response(await readSource(context(), id, path)).text()

  test('is the files as they were uploaded, without the prelude and the guards of pages', async () => {
    const files = await listSource(context(), 'w1')
    const lifted = files.filter(({ path }) => path.startsWith('inline-'))
    expect(await Promise.all(lifted.map(({ path }) => textOf('w1', path)))).toEqual(['start()'])
    expect(files.filter((file) => !lifted.includes(file)).map(({ path }) => path)).toEqual(
      Object.keys(FILES).sort(),
    )
    expect(await textOf('w1', 'index.html')).toBe(
      FILES['index.html'].replace('<script>start()', `<script src="./${lifted[0]?.path}">`),
    )
    expect(await textOf('w1', 'js/world.js')).toBe('start()')
    expect(await textOf('w1', 'empty.js')).toBe('')
    expect(files.filter(({ text }) => !text).map(({ path }) => path)).toEqual([
      'answer.wasm',
      'large.bin',
      'toString',
    ])
  })

  test.each([
    ['w1', 'nothing.js'],
    ['w1', '../w2/index.html'],
    ['w1', '\0'],
    ['nobody', 'index.html'],
    ['', ''],
  ])('there is no file of %j at %j', async (id, path) => {
    await expect(readSource(context(), id, path)).rejects.toMatchObject({ code: 'not_found' })
  })
})
