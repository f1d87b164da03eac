import { expect, test } from 'vitest'
import { makeBundle } from '#test/core/worlds/support/bundle.ts'
import { picture } from '#test/core/worlds/support/demo-worlds.ts'
import { listen } from '#test/core/worlds/support/listen.ts'
import type { Sent } from '#test/support/api.ts'
import { bundleForm } from '#test/support/form.ts'
import { newPerson } from '../../services/people.ts'
import { reach, type Studio } from '../studio-requests.ts'
import { account, ada, addressed, ben, main } from './servers.ts'

/** Runs `work` while the site stores all that it may. */
async function whileFull({ api }: Studio, work: () => Promise<void>): Promise<void> {
  const { db, config } = api.services
  const [GiB, many] = [2 ** 30, config.worldMib.inAll / 1024 + 1]
  await db.sql`
    insert into blobs (hash, size) select 'full-' || i, ${GiB} from generate_series(1, ${Math.ceil(many)}) i`
  await work()
  await db.sql`delete from blobs where hash like 'full-%'`
}

/** Answers about Worlds and about bundles by way of the bucket. */
export function worldStatuses(): void {
  test('Worlds', async () => {
    const { token } = ada
    const bundle = makeBundle({ slug: 'studied' })
    const wrong = makeBundle({ name: '' })
    const uploaded = await main.api.send('POST', '/worlds/upload', { token, bundle })
    const { id } = uploaded.json as { id: string }

    const compare = (status: number, world: string, sent: Sent) =>
      reach(main, `POST_worldComparison ${status}`, 'POST', `/worlds/${world}/comparison`, sent)
    await compare(200, id, { token, bundle })
    await compare(400, id, { token, bundle: wrong })
    await compare(403, id, { token: ben.token, bundle })
    await compare(404, 'wld_none', { token, bundle })

    const { bundleHash } = uploaded.json as { bundleHash: string }
    const takeOver = { token, json: { bundle_hash: bundleHash, from: 'https://weft.example' } }
    await reach(main, 'POST_worldImport 200', 'POST', '/world-imports', takeOver)

    const draw = async (status: number, world: string, by: string, bytes = picture()) => {
      const { body, headers } = await bundleForm(new Uint8Array(bytes), 'picture')
      const sent = { token: by, body, headers }
      await reach(main, `PUT_worldPicture ${status}`, 'PUT', `/worlds/${world}/picture`, sent)
    }
    await draw(204, id, token)
    await draw(400, id, token, new Uint8Array(8))
    await draw(403, id, ben.token)
    await draw(404, 'wld_none', token)
    const wipe = (status: number, world: string, by: string) =>
      reach(main, `DELETE_worldPicture ${status}`, 'DELETE', `/worlds/${world}/picture`, { token: by })
    await wipe(403, id, ben.token)
    await wipe(404, 'wld_none', token)
    await wipe(204, id, token)

    await main.api.db.sql`
      insert into entities (kind, name, owner, address, content_hash, metadata_hash, block_number, block_hash, tx_hash,
        tx_index, log_index)
      values ('connector', 'pictured', ${account}, '0x', '0x', '0x', 1, '0x', '0x', 0, 0)`
    const still = async (status: number, name: string, by: string, bytes = picture()) => {
      const { body, headers } = await bundleForm(new Uint8Array(bytes), 'picture')
      await reach(main, `PUT_pieceStill ${status}`, 'PUT', `/pieces/${name}/still`, {
        token: by,
        body,
        headers,
      })
    }
    await still(204, 'pictured', token)
    await still(400, 'pictured', token, new Uint8Array(8))
    await still(403, 'pictured', ben.token)
    await still(404, 'nothing_like_it', token)
    const remove = (status: number, name: string, by: string) =>
      reach(main, `DELETE_pieceStill ${status}`, 'DELETE', `/pieces/${name}/still`, { token: by })
    await remove(403, 'pictured', ben.token)
    await remove(404, 'nothing_like_it', token)
    await remove(204, 'pictured', token)

    const show = (status: number, name: string, by: string, json: object = { title: 'First light' }) =>
      reach(main, `PUT_piecePresentation ${status}`, 'PUT', `/pieces/${name}/presentation`, {
        token: by,
        json,
      })
    await show(204, 'pictured', token)
    for (const wrong of [{}, { title: 'two\nlines' }, { present: { particles: 0 } }, { titles: 'x' }]) {
      await show(400, 'pictured', token, wrong)
    }
    await show(403, 'pictured', ben.token)
    await show(404, 'nothing_like_it', token)
    const restore = (status: number, name: string, by: string) =>
      reach(main, `DELETE_piecePresentation ${status}`, 'DELETE', `/pieces/${name}/presentation`, {
        token: by,
      })
    await restore(403, 'pictured', ben.token)
    await restore(404, 'nothing_like_it', token)
    await restore(204, 'pictured', token)

    const json = { kind: 'world', name: id, reason: 'broken', words: 'It stays black' }
    for (const sender of [{ token: ben.token }, {}]) {
      await reach(main, 'POST_report 204', 'POST', '/reports', { ...sender, json })
      const absent = { ...sender, json: { ...json, name: 'wld_none' } }
      await reach(main, 'POST_report 404', 'POST', '/reports', absent)
    }

    await reach(main, 'POST_worldPreview 200', 'POST', '/world-previews', { token, bundle })
    const visited = await reach(main, 'POST_worldPreview 200', 'POST', '/world-previews', { bundle })
    const preview = (JSON.parse(visited.text) as { id: string }).id
    await reach(main, 'DELETE_worldPreview 204', 'DELETE', `/world-previews/${preview}`)

    await whileFull(main, async () => {
      await draw(507, id, token)
      await still(507, 'pictured', token)
      await reach(main, 'POST_worldPreview 507', 'POST', '/world-previews', { bundle })
    })
  })

  test('bundles by way of the bucket', async () => {
    const { token } = await newPerson(addressed.api)
    const other = await newPerson(addressed.api)
    const begin = (status: number, bytes: number, by = token, studio = addressed) =>
      reach(studio, `POST_worldUploadAddress ${status}`, 'POST', '/world-uploads', {
        token: by,
        json: { bytes },
      })
    const send = async (bundle: Uint8Array<ArrayBuffer>, by = token) => {
      const { key, url, type } = JSON.parse((await begin(201, bundle.byteLength, by)).text)
      const sent = await fetch(url, { method: 'PUT', body: bundle, headers: { 'content-type': type } })
      expect(sent.status).toBe(200)
      return (pair: string, as: string) =>
        reach(addressed, pair, 'POST', `/world-uploads/${as}`, { token: by, json: { key } })
    }
    const complete = async (pair: string, as: string, bundle: Uint8Array<ArrayBuffer>, by = token) =>
      (await send(bundle, by))(pair, as)
    await begin(400, 0)
    await begin(404, 1000, ada.token, main)
    await begin(413, 100_000_000)
    const [bundle, wrong] = [makeBundle({ slug: 'sent-away' }), makeBundle({ name: '' })]
    await complete('POST_worldUploadPreview 200', 'preview', bundle)
    await complete('POST_worldUploadPreview 400', 'preview', wrong)
    await complete('POST_worldUploadPublication 201', 'publication', bundle)
    await complete('POST_worldUploadPublication 400', 'publication', wrong)
    await complete('POST_worldUploadPublication 409', 'publication', bundle, other.token)
    await complete('POST_worldUploadPublication 429', 'publication', makeBundle({ slug: 'one-too-many' }))
    const [previewed, published] = [
      await send(bundle),
      await send(makeBundle({ slug: 'no-room' }), other.token),
    ]
    const elsewhere = makeBundle({ slug: 'elsewhere' })
    const there = await main.api.send('POST', '/worlds/upload', { token: ben.token, bundle: elsewhere })
    const { bundleHash } = there.json as { bundleHash: string }
    const site = await listen(async ({ url }) => {
      const path = new URL(url).pathname.replace('/services', '')
      const { status, headers, bytes } = await main.api.send('GET', path)
      return new Response(new Uint8Array(bytes), { status, headers })
    })
    await whileFull(addressed, async () => {
      const from = `http://127.0.0.1:${site.port}`
      const taken = { token: other.token, json: { bundle_hash: bundleHash, from } }
      await reach(addressed, 'POST_worldImport 507', 'POST', '/world-imports', taken)
      await begin(507, 1000)
      await previewed('POST_worldUploadPreview 507', 'preview')
      await published('POST_worldUploadPublication 507', 'publication')
    })
    await site.close()
    for (const as of ['Preview', 'Publication']) {
      const sent = { token, json: { key: 'upload-1' } }
      await reach(addressed, `POST_worldUpload${as} 404`, 'POST', `/world-uploads/${as.toLowerCase()}`, sent)
    }
    for (let i = 6; i < 30; i++) await begin(201, 1000)
    await begin(429, 1000)
  })
}
