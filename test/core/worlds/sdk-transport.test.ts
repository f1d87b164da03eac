import { afterEach, expect, test } from 'vitest'
import { MESSAGE, type WorldTransport } from '#lib/core/worlds/sdk/protocol.ts'
import { createTransport } from '#lib/studio/sound/transport.ts'
import { followTransport } from '#lib/studio/sound/world-transport.ts'
import { delivered, disposeAll, pair, TOKEN } from './support/sdk-pair.ts'

afterEach(disposeAll)

const AT_REST = { playing: false, step: 0, steps_a_minute: 240, seconds: 0, loop: true }
const VOICES = [{ path: '/a:0', instrument: 'keys', pitches: [60], velocities: [90], lengths: [1] }]

test('a World gets where the sound is, with the voices of before where they do not change', async () => {
  const { host, sdk } = pair()
  const got: WorldTransport[] = []
  sdk.ready()
  await delivered()
  host.pushTransport({ ...AT_REST, voices: VOICES })
  await delivered()
  const end = sdk.onTransport((transport) => got.push(transport))
  host.pushTransport({ ...AT_REST, playing: true, step: 3, seconds: 0.75 })
  await delivered()
  end()
  host.pushTransport(AT_REST)
  await delivered()
  expect(got).toEqual([
    { ...AT_REST, voices: VOICES },
    { ...AT_REST, playing: true, step: 3, seconds: 0.75, voices: VOICES },
  ])
})

test.each([
  [{}],
  [{ ...AT_REST, step: -1 }],
  [{ ...AT_REST, step: '3' }],
  [{ ...AT_REST, step: Number.NaN }],
  [{ ...AT_REST, steps_a_minute: 0 }],
  [{ ...AT_REST, steps_a_minute: Number.POSITIVE_INFINITY }],
])('a message that names no place in time is ignored: %j', async (fields) => {
  const { at, sdk } = pair()
  const got: WorldTransport[] = []
  sdk.onTransport((transport) => got.push(transport))
  sdk.ready()
  await delivered()
  const message = { type: MESSAGE.transport, worldId: 'world', channelToken: TOKEN, ...fields }
  at.world.receive(message, at.page.as(at.world), 'https://site.test')
  await delivered()
  expect(got).toEqual([])
})

test('a voice with chords comes once for each note of its widest one', () => {
  const transport = createTransport()
  const got: WorldTransport[] = []
  const end = followTransport(transport, 'mine', (message) => got.push(message))
  const streams = [
    { path: '/a:0/pitch:0', data: [60, 64, 67] },
    { path: '/a:1/time:0', data: [0, 0, 1] },
  ]
  transport.load({ key: 'mine', name: 'song', streams, sound: {}, onSound: () => undefined })
  end()
  const voice = { path: '/a:0/pitch:0', instrument: 'keys' }
  expect(got.at(-1)?.voices).toMatchObject([
    { ...voice, pitches: [60, 67, -1], lengths: [1, 2, 0] },
    { ...voice, pitches: [64, -1, -1] },
  ])
})

test('the transport of a page says what sounds of its own source alone', () => {
  const transport = createTransport()
  const got: WorldTransport[] = []
  const end = followTransport(transport, 'mine', (message) => got.push(message))
  const source = {
    name: 'song',
    streams: [{ path: '/song:0', data: [60, 64, 67] }],
    sound: { bpm: 120 },
    onSound: () => undefined,
  }
  transport.load({ ...source, key: 'another' })
  transport.load({ ...source, key: 'mine' })
  transport.seek(2)
  end()
  transport.seek(1)
  expect(got).toMatchObject([
    { playing: false, step: 0 },
    {
      playing: false,
      step: 0,
      steps_a_minute: 480,
      voices: [{ path: '/song:0', pitches: [60, 64, 67], lengths: [1, 1, 1] }],
    },
    { playing: false, step: 2, seconds: 0.25 },
  ])
})
