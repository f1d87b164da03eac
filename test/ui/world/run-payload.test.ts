import { expect, test } from 'vitest'
import type { Leaf } from '#lib/protocol/artifact.ts'
import { formatHash } from '#lib/protocol/format-hash.ts'
import { addressed, formatOf, runPayload } from '#lib/ui/world/run-payload.ts'

const ADDRESS = `0x${'ab'.repeat(20)}` as const
const HASH = `0x${'cd'.repeat(32)}` as const

test('the format follows from the streams, in any order and nesting', () => {
  const leaves: readonly Leaf[] = [
    { connector: 'pitch', dimension: 0 },
    { connector: 'a_b', dimension: 12 },
    { connector: 'pitch', dimension: 0 },
  ]
  const paths = ['/song:1/a_b:12', '/song:0/inner:3/pitch:0', '/song:2/pitch:0', '/pitch:0']
  expect(formatOf(paths.map((path) => ({ path })))).toBe(formatHash(leaves))
  expect(formatOf([{ path: '/pitch:0' }])).toBe(formatHash(leaves.slice(0, 1)))
  expect(formatOf([])).toBe(formatHash([]))
})

test('a run on chain carries all that Worlds of the original network read', () => {
  const streams = [{ path: '/pitch:0', data: [1, 2] }]
  const run = {
    ...{ connector: 'pitch', count: 2, streams, formatHash: formatOf(streams), address: ADDRESS },
    dynamicRi: [{ position: 1, startPoint: 5, transformationShift: 0 }],
    provenance: { blockNumber: 7, blockHash: HASH, runner: ADDRESS, registry: ADDRESS },
  }
  expect(addressed({ id: 'id-1', name: 'Harp' }, runPayload(run, 'studio-plugin'))).toEqual({
    ...{ protocolVersion: 1, worldId: 'id-1', label: 'Harp: pitch', surface: 'studio-plugin' },
    ...{ connectorName: 'pitch', connectorNames: ['pitch'], particlesCount: 2, executionMode: 'execute' },
    connectorAddress: ADDRESS,
    connectorFormatHash: formatOf(streams).slice(2),
    selectedConnectorContextNames: ['pitch'],
    selectedConnectorContextPathPrefixes: ['/pitch:*'],
    executionProvenance: { block_number: 7, block_hash: HASH, runner: ADDRESS, registry: ADDRESS },
    executeOutput: streams,
    dynamicRiInput: { 1: { start_point: 5, transformation_shift: 0 } },
  })
})
