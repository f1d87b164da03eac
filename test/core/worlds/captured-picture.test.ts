import { crc32, deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rewritePng } from '#lib/compute/pictures/png.ts'
import type { Context, Services } from '#lib/core/context/context.ts'
import { capturePicture, removePicture } from '#lib/core/worlds/captured-picture.ts'
import { getWorld, listFiles } from '#lib/core/worlds/get-world.ts'
import { deleteWorld, uploadWorld } from '#lib/core/worlds/publish-world.ts'
import { replaceWorld } from '#lib/core/worlds/replace-world.ts'
import { serveFile } from '#lib/core/worlds/serve-file.ts'
import { listSource } from '#lib/core/worlds/world-source.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { pictureOf } from '#lib/views/pictures.ts'
import { framedWorld } from '#lib/views/world.ts'
import { startServices, type TestServices } from '#test/support/services.ts'
import { makeBundle } from './support/bundle.ts'
import { openTestContext } from './support/context.ts'
import { picture } from './support/demo-worlds.ts'
import { keptRows } from './support/stored-rows.ts'

const SIDE = 1200

type Chunk = readonly [type: string, data: Uint8Array]

function png(chunks: readonly Chunk[], { damaged = false } = {}): Uint8Array {
  const parts = chunks.map(([type, data]) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const frame = Buffer.alloc(8 + body.length)
    frame.writeUInt32BE(data.length, 0)
    frame.set(body, 4)
    frame.writeUInt32BE(damaged ? 1 : crc32(body), 4 + body.length)
    return frame
  })
  return Buffer.concat([Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10), ...parts])
}

function header(width: number, height: number, rest: readonly number[] = [8, 2, 0, 0, 0]): Chunk {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  data.set(rest, 8)
  return ['IHDR', data]
}

/** Rows of a picture of 2 x 2 pixels. */
const ROWS = Uint8Array.from([0, 1, 2, 3, 4, 5, 6, 1, 9, 8, 7, 6, 5, 4])
const DATA: Chunk = ['IDAT', deflateSync(ROWS)]
const END: Chunk = ['IEND', new Uint8Array(0)]
const SMALL = png([header(2, 2), DATA, END])

describe('a picture that comes from anywhere', () => {
  test('keeps its pixels and nothing else', async () => {
    const script = Buffer.from('<script>alert(1)</script>')
    const half = Math.floor(DATA[1].length / 2)
    const laden = Buffer.concat([
      png([
        header(2, 2),
        ['tEXt', script],
        ['iCCP', script],
        ['IDAT', DATA[1].subarray(0, half)],
        ['IDAT', DATA[1].subarray(half)],
        ['eXIf', script],
        END,
      ]),
      script,
    ])
    const clean = Buffer.from(await rewritePng(laden, SIDE))
    expect(clean.equals(Buffer.from(await rewritePng(SMALL, SIDE)))).toBe(true)
    expect(clean.toString('latin1')).not.toMatch(/script|tEXt|iCCP|eXIf/)
    // Rewriting changes nothing any more.
    expect(clean.equals(Buffer.from(await rewritePng(clean, SIDE)))).toBe(true)
  })

  const rgba = Uint8Array.from([0, 1, 2, 3, 4])
  test('may be transparent', async () => {
    const file = png([header(1, 1, [8, 6, 0, 0, 0]), ['IDAT', deflateSync(rgba)], END])
    expect((await rewritePng(file, SIDE))[25]).toBe(6)
  })

  const bomb = deflateSync(new Uint8Array(64 * 1024 * 1024))
  const refused: readonly (readonly [string, Uint8Array, string])[] = [
    ['nothing', new Uint8Array(0), 'no PNG'],
    ['markup', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'no PNG'],
    ['a JPEG', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), 'no PNG'],
    ['only a beginning', SMALL.subarray(0, 30), 'breaks off'],
    ['no end', SMALL.subarray(0, SMALL.length - 12), 'breaks off'],
    ['a chunk longer than the file', png([header(2, 2), DATA]).fill(0x7f, 33, 37), 'breaks off'],
    ['false checksums', png([header(2, 2), DATA, END], { damaged: true }), 'damaged'],
    ['a short header', png([['IHDR', new Uint8Array(5)], DATA, END]), 'damaged'],
    ['no header', png([DATA, END]), 'out of order'],
    ['two headers', png([header(2, 2), header(9, 9), DATA, END]), 'out of order'],
    ['no pixels', png([header(2, 2), END]), 'cannot be read'],
    ['fewer pixels', png([header(2, 3), DATA, END]), 'fewer pixels'],
    ['more pixels', png([header(1, 1), DATA, END]), 'cannot be read'],
    ['64 MiB behind two pixels', png([header(2, 2), ['IDAT', bomb], END]), 'cannot be read'],
    [
      'an unknown filter',
      png([header(2, 1), ['IDAT', deflateSync(ROWS.with(0, 5).subarray(0, 7))], END]),
      'read',
    ],
    ['no side', png([header(0, 2), DATA, END]), '0 x 2'],
    ['a huge side', png([header(4_000_000_000, 1), DATA, END]), '4000000000 x 1'],
    ['one pixel too many', png([header(SIDE + 1, 1), DATA, END]), '1201 x 1'],
    ['a palette', png([header(2, 2, [8, 3, 0, 0, 0]), DATA, END]), 'RGB'],
    ['16 bits', png([header(2, 2, [16, 2, 0, 0, 0]), DATA, END]), 'RGB'],
    ['interlacing', png([header(2, 2, [8, 2, 0, 0, 1]), DATA, END]), 'RGB'],
    ['another compression', png([header(2, 2, [8, 2, 1, 0, 0]), DATA, END]), 'RGB'],
  ]
  test.each(refused)('is refused with %s', async (_, bytes, reason) => {
    await expect(rewritePng(bytes, SIDE)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining(reason),
    })
  })
})

describe('the picture of a World', () => {
  const owner: Address = `0x${'a1'.repeat(20)}`
  let started: TestServices
  let services: Services
  beforeAll(async () => {
    started = await startServices()
    services = started.services
  })
  afterAll(() => started.close())
  const as = (address: Address = owner): Context => openTestContext(services, address)
  const bytesOf = async (worldId: string, path: string) => {
    const answer = await serveFile(services, { worldId, path })
    if (answer.status !== 200) throw new Error(`${answer.status}`)
    return [
      answer.headers['Content-Type'],
      Buffer.from(await new Response(await answer.body()).arrayBuffer()),
    ]
  }
  const CAPTURED = /\/captured%3Apreview\.png\?v=[0-9a-f]{16}$/

  test('is its preview until it is removed, and outlives a replacement of the bundle', async () => {
    const { id } = await uploadWorld(as(), makeBundle({ slug: 'pictured' }))
    const before = await keptRows(services)
    await capturePicture(as(), { id, png: picture() })
    const world = await getWorld(services, id)
    const { previewUrl } = framedWorld(services, world)
    expect(previewUrl).toMatch(CAPTURED)
    expect(await pictureOf(as(), 'world', 'pictured', 'tile')).toEqual({ storedAt: previewUrl })
    expect(await bytesOf(id, 'captured:preview.png')).toEqual([
      'image/png',
      Buffer.from(await rewritePng(picture(), SIDE)),
    ])
    // It belongs to no bundle.
    const listed = [...(await listFiles(services, id)), ...(await listSource(services, id))]
    expect(listed.map(({ path }) => path)).not.toContain('captured:preview.png')

    await capturePicture(as(), { id, png: picture(32) })
    await replaceWorld(as(), { id, zip: makeBundle({ slug: 'pictured', version: '0.2.0' }) })
    const after = framedWorld(services, await getWorld(services, id)).previewUrl
    expect(after).toMatch(CAPTURED)
    expect(after).not.toBe(previewUrl)

    await removePicture(as(), id)
    await removePicture(as(), id)
    expect(framedWorld(services, await getWorld(services, id)).previewUrl).toContain('/preview.png')
    expect((await keptRows(services)).files).toBe(before.files)

    await capturePicture(as(), { id, png: picture() })
    await deleteWorld(as(), id)
    expect(await keptRows(services)).toMatchObject({ files: 0, blobs: 0, parts: 0 })
  })

  test('is stored by nobody else, and by a failure not at all', async () => {
    const { id } = await uploadWorld(as(), makeBundle({ slug: 'guarded' }))
    const other = as(`0x${'b2'.repeat(20)}`)
    await expect(capturePicture(other, { id, png: picture() })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(removePicture(other, id)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(capturePicture(as(), { id: 'wld_none', png: picture() })).rejects.toMatchObject({
      code: 'not_found',
    })
    const before = await keptRows(services)
    await expect(capturePicture(as(), { id, png: SMALL.subarray(1) })).rejects.toMatchObject({
      code: 'invalid_request',
    })
    expect(await keptRows(services)).toEqual(before)
  })
})
