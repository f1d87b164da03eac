import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findAuthorWords } from '#lib/core/entities/author-words.ts'
import { findRemixes } from '#lib/core/entities/remixes.ts'
import { arrange } from '#lib/engine/sound/arrangement.ts'
import { writeMidi } from '#lib/engine/sound/midi-file.ts'
import { partOf, REST } from '#lib/engine/sound/notes.ts'
import { createServicesDispatcher } from '#lib/server/operations/services/dispatcher.ts'
import { createStudioDispatcher } from '#lib/server/operations/studio/dispatcher.ts'
import { exampleNetwork } from '#scripts/example-network/network.ts'
import { publishExampleNetwork } from '#scripts/example-network/publish.ts'
import { servicesClient } from '#scripts/world-kit/services-client.ts'
import { devAccount } from '#test/support/chain.ts'
import { readMidi } from '#test/support/read-midi.ts'
import { startTestStack, type TestStack } from '#test/support/stack.ts'

const api = 'http://localhost/chain'

describe('publishing the example network', () => {
  let stack: TestStack
  beforeAll(async () => {
    stack = await startTestStack()
  })
  afterAll(() => stack.close())

  const blocks = () => stack.chain.publicClient.getBlockNumber({ cacheTime: 0 })
  const options = () => {
    const services = async () => stack.services
    const [site, studio] = [createServicesDispatcher({ services }), createStudioDispatcher({ services })]
    const { prepareBatch } = servicesClient(devAccount(0), {
      api: 'http://localhost/services',
      siteOrigin: stack.services.config.siteOrigin,
      chainId: 31_337,
      fetch: (request) => (request.url.includes('/studio/') ? studio : site)(request),
    })
    return { rpcUrl: stack.chain.url, fetch: stack.dispatch, prepareBatch }
  }

  it('resumes where it was interrupted, and publishes each entity once', async () => {
    const before = await blocks()
    const { prepareBatch, ...others } = options()
    let batches = 0
    let published = 0
    let isInterrupted = false
    const counted: typeof prepareBatch = async (request) => {
      // Interrupted before the first remix, when what it was made from is on chain, and before that is listed.
      if (!isInterrupted && request.items.some(({ words }) => words?.made_from !== undefined)) {
        isInterrupted = true
        throw new Error('the power went')
      }
      const batch = await prepareBatch(request)
      batches += 1
      published += batch.items.length
      return batch
    }
    const publish = () => publishExampleNetwork(api, devAccount(0), { ...others, prepareBatch: counted })
    await expect(publish()).rejects.toThrow('the power went')
    await publish()
    expect(published).toBe(exampleNetwork.length)
    expect(await blocks()).toBe(before + BigInt(batches))
    for (const { kind, name } of exampleNetwork) {
      const { status, json: body } = await stack.send('GET', `/${kind}/${name}`)
      expect([status, (body as { address: string }).address]).toEqual([
        200,
        expect.stringMatching(/^0x[0-9a-f]{40}$/),
      ])
    }
  })

  it('publishes words, sources and origins with it', async () => {
    const weave = await findAuthorWords(stack.services, 'connector', 'weave')
    expect(weave).toMatchObject({ licence: 'CC0-1.0', description: expect.stringMatching(/duet/) })
    const add = await findAuthorWords(stack.services, 'transformation', 'add')
    expect(add?.source).toBe('return x + args[0];')
    const remixes = exampleNetwork.filter(({ madeFrom }) => madeFrom !== undefined)
    for (const { kind, name, madeFrom: origin = '' } of remixes) {
      const { remixedBy } = await findRemixes(stack.services, { kind, name: origin })
      expect(
        remixedBy.next.map((remix) => remix.name),
        `made from ${origin}`,
      ).toContain(name)
    }
  })

  it('plays weave on the beat of a tresillo, each note as loud as its velocity', async () => {
    const request = { connector_name: 'weave', particles_count: 64 }
    const streams = (await stack.send('POST', '/simulate', { json: request })).json as readonly {
      readonly path: string
      readonly data: readonly number[]
    }[]
    const valuesOf = (name: string) => streams.find(({ path }) => path.endsWith(`/${name}:0`))?.data ?? []
    const [pitch, velocity, time] = ['pitch', 'velocity', 'time'].map(valuesOf)
    const { paths } = arrange(streams, {})
    expect(paths.map(({ role, instrument }) => [role, instrument])).toEqual([
      ['pitch', 'keys'],
      ['velocity', 'silent'],
      ['time', 'silent'],
    ])
    const [voice] = paths
    const { notes, levels, lengths } = partOf(voice!.data, voice!)
    const heard = [...notes.entries()].flatMap(([step, note]) =>
      note === REST ? [] : [{ step, note, level: levels[step], lasts: lengths?.[step] }],
    )
    const onsets = time!.map((each) => each - time![0]!)
    expect(onsets.slice(0, 7)).toEqual([0, 3, 6, 8, 11, 14, 16])
    const within = onsets.filter((step) => step < 64)
    expect(heard).toEqual(
      within.map((step, index) => ({
        step,
        note: pitch![index],
        level: velocity![index],
        lasts: onsets[index + 1]! - step,
      })),
    )
    const [track] = readMidi(writeMidi(arrange(streams, {}))).tracks
    expect(track?.notes.map(({ at }) => at / 120)).toEqual(within)
  })

  it('does nothing when everything is there', async () => {
    const before = await blocks()
    const requests: string[] = []
    await publishExampleNetwork(api, devAccount(0), {
      ...options(),
      fetch: (request) => {
        requests.push(request.method)
        return stack.dispatch(request)
      },
    })
    expect(await blocks()).toBe(before)
    expect(new Set(requests)).toEqual(new Set(['GET']))
  })
})
