import { expect, test } from 'vitest'
import { createPacer, pacedCalls } from '#lib/ui/world/mount-world.ts'
import { recordingClient } from './support/recording-client.ts'

test('a burst goes at once, what is beyond it at the rate, and idle time refills the burst', () => {
  let time = 1000
  const pacer = createPacer({ burst: 3, perSecond: 10 }, () => time)
  const delays = Array.from({ length: 6 }, pacer)
  expect(delays).toEqual([0, 0, 0, 100, 200, 300])
  time += 600
  expect(Array.from({ length: 4 }, pacer)).toEqual([0, 0, 0, 100])
})

test('every call retains its arguments, and runs have a separate rate', async () => {
  const { client, calls } = recordingClient(() => true)
  const waited: number[] = []
  const paced = pacedCalls(
    client,
    async (ms) => void waited.push(ms),
    () => 0,
  )
  for (let index = 0; index < 60; index += 1) await paced.connectorExists('pitch')
  await paced.formatInfo('ab', { limit: 3 })
  for (let index = 0; index < 10; index += 1) await paced.simulate('pitch', 4, {})
  expect(waited).toEqual([50, 250, 500])
  expect(calls).toHaveLength(71)
  expect(calls[60]).toEqual(['formatInfo', 'ab', { limit: 3 }])
  expect(calls[70]).toEqual(['simulate', 'pitch', 4, {}])
})
