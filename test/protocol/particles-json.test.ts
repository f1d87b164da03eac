import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ParticleStream, particlesJson } from '#lib/protocol/particles.ts'

function text(bytes: Uint8Array) {
  return new TextDecoder().decode(bytes)
}
function byHand(particles: readonly ParticleStream[]) {
  return JSON.stringify(particles.map(({ path, data }) => ({ path, data: Array.from(data) })))
}

/** On both sides of every power of ten, and of every power of two. */
const EDGES = [...Array(33).keys()]
  .flatMap((power) => [10 ** power, 2 ** power])
  .flatMap((edge) => [edge - 1, edge, edge + 1])
  .filter((value) => value >= 0 && value <= 0xffffffff)

test('values are written as JSON.stringify writes them', () => {
  const particles = [
    { path: '/edges:0', data: Uint32Array.from(EDGES) },
    { path: '/none:1', data: new Uint32Array() },
    { path: '/one:2', data: Uint32Array.of(0) },
  ]
  expect(text(particlesJson(particles))).toBe(byHand(particles))
  expect(text(particlesJson([]))).toBe('[]')
})

test('any streams, whatever their paths are called', () => {
  const stream = fc.record({
    path: fc.string({ unit: 'binary', maxLength: 12 }),
    data: fc.uint32Array({ maxLength: 40 }),
  })
  fc.assert(
    fc.property(fc.array(stream, { maxLength: 4 }), (particles) => {
      expect(text(particlesJson(particles))).toBe(byHand(particles))
    }),
    { seed: 7, numRuns: 300 },
  )
})

test('as a part of a document', () => {
  const particles = [{ path: '/é:0', data: Uint32Array.of(7) }]
  const around = { before: '{"runner":"é","particles":', after: ',"more":1}' }
  expect(JSON.parse(text(particlesJson(particles, around)))).toEqual({
    runner: 'é',
    particles: [{ path: '/é:0', data: [7] }],
    more: 1,
  })
  expect(text(particlesJson([], around))).toBe('{"runner":"é","particles":[],"more":1}')
})
