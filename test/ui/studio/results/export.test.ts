import { expect, test } from 'vitest'
import { csvOf } from '#lib/ui/studio/results/csv.ts'
import { fileName, jsonOf } from '#lib/ui/studio/results/exports.tsx'

const streams = [
  { path: '/Song:0/Pitch:0', data: [0, 4_294_967_295, 3_000_000_001] },
  { path: '/Song:1', data: [1, 2] },
]

test('CSV has a row a step and every uint32 in full', () => {
  expect(csvOf(streams).join('')).toBe(
    'step,/Song:0/Pitch:0,/Song:1\r\n0,0,1\r\n1,4294967295,2\r\n2,3000000001,\r\n',
  )
})

test('CSV of 65,536 steps comes in pieces that lose no row', () => {
  const data = Array.from({ length: 65_536 }, (_, step) => (step * 2_654_435_761) % 2 ** 32)
  const pieces = csvOf([{ path: '/a:0', data }])
  expect(pieces.length).toBeGreaterThan(2)
  const rows = pieces.join('').trimEnd().split('\r\n').slice(1)
  expect(rows.map((row) => Number(row.split(',')[1]))).toEqual(data)
})

test('CSV quotes what would break a row', () => {
  expect(csvOf([{ path: 'a,"b"', data: [] }])).toEqual(['step,"a,""b"""\r\n'])
})

test('JSON has the request and the particles unchanged', () => {
  const request = {
    connectors: [],
    bodies: [],
    connector_name: 'Song',
    particles_count: 3,
    dynamic_ri: { '1': { start_point: 7, transformation_shift: 0 } },
  }
  expect(JSON.parse(jsonOf({ request, streams }).join(''))).toEqual({
    connector_name: 'Song',
    particles_count: 3,
    dynamic_ri: request.dynamic_ri,
    particles: streams,
  })
})

test('file names hold nothing that a file system would take for more than a name', () => {
  expect(fileName('Song_1', 'csv')).toBe('Song_1.csv')
  expect(fileName('../a b', 'mid')).toBe('___a_b.mid')
  expect(fileName('', 'json')).toBe('particles.json')
})
