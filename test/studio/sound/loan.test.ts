import { expect, test } from 'vitest'
import type { ConnectorSound } from '#lib/engine/sound/settings.ts'
import { createTransport, type Source } from '#lib/studio/sound/transport.ts'

/* Sources that templates and variations lend to the transport while they are looked at. */

function source(key: string, first: number, sound: ConnectorSound = {}): Source {
  const streams = [{ path: `/${key}:0`, data: [first, 1, 2, 3] }]
  return { key, name: key, streams, sound, onSound: () => {} }
}

function playedSource(transport: ReturnType<typeof createTransport>): readonly unknown[] {
  const { source: now } = transport.getState()
  return [now?.key, now?.streams[0]?.data[0], now?.sound.bpm]
}

test('what is lent stays while the own run arrives anew, and gives way to the newest in the end', () => {
  const transport = createTransport()
  transport.load(source('own', 10))
  transport.lend(source('template', 20))
  transport.load(source('own', 11))
  expect(playedSource(transport)).toEqual(['template', 20, undefined])
  expect(transport.own()?.streams[0]?.data[0]).toBe(11)
  transport.endLoan()
  expect(playedSource(transport)).toEqual(['own', 11, undefined])
  transport.endLoan()
  expect(playedSource(transport)).toEqual(['own', 11, undefined])
})

test('a variation follows the settings of its connector', () => {
  const transport = createTransport()
  transport.load(source('own', 10))
  transport.lend(source('own', 20))
  transport.load(source('own', 10, { bpm: 90 }))
  expect(playedSource(transport)).toEqual(['own', 20, 90])
  expect(transport.getState().arrangement?.bpm).toBe(90)
})

test('what was lent is the own one where it was opened, and a reset ends every loan', () => {
  const transport = createTransport()
  transport.load(source('own', 10))
  transport.lend(source('own', 20))
  transport.endLoan('keep')
  expect(playedSource(transport)).toEqual(['own', 20, undefined])
  transport.lend(source('template', 30))
  transport.reset()
  transport.load(source('own', 40))
  expect(playedSource(transport)).toEqual(['own', 40, undefined])
})
