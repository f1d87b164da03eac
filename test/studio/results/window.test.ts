import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitWindow, pointsIn, reveal, wholeWindow, zoom } from '../../../lib/ui/studio/results/window.ts'

describe('the window of steps', () => {
  test('stays inside the run with the step visible, at any zoom', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 65_536 }),
        fc.array(fc.tuple(fc.constantFrom(0.5, 2), fc.double({ min: 0, max: 1, noNaN: true })), {
          maxLength: 30,
        }),
        (steps, moves) => {
          let window = wholeWindow(steps)
          for (const [factor, share] of moves) {
            const step = Math.round(share * (steps - 1))
            window = zoom(reveal(window, step), factor, step, steps)
            expect(window.first).toBeGreaterThanOrEqual(0)
            expect(window.last).toBeLessThan(steps)
            expect(window.first <= step && step <= window.last).toBe(true)
          }
        },
      ),
      { numRuns: 200 },
    )
  })

  test('comes back to the whole', () => {
    const close = zoom(zoom(wholeWindow(1000), 0.5, 400, 1000), 0.5, 400, 1000)
    expect(close.last - close.first + 1).toBe(250)
    expect(zoom(zoom(close, 2, 400, 1000), 2, 400, 1000)).toEqual(wholeWindow(1000))
  })

  test('is cut to a shorter run, or reset when nothing of it is left', () => {
    expect(fitWindow({ first: 10, last: 90 }, 50)).toEqual({ first: 10, last: 49 })
    expect(fitWindow({ first: 60, last: 90 }, 50)).toEqual({ first: 0, last: 49 })
    expect(fitWindow({ first: 10, last: 20 }, 50)).toEqual({ first: 10, last: 20 })
  })
})

test('a window of 65,536 values retains its peaks in two points a column and numbers them as the stream does', () => {
  const data = new Array<number>(65_536).fill(10)
  data[40_000] = 4_294_967_295
  data[100] = 0
  const { x, y } = pointsIn(data, { first: 30_000, last: 50_000 }, 300)
  expect(x.length).toBeLessThanOrEqual(600)
  expect(y[x.indexOf(40_000)]).toBe(4_294_967_295)
  expect(y).not.toContain(0)
  expect(x[0]).toBeGreaterThanOrEqual(30_000)
  expect(x.at(-1)).toBeLessThanOrEqual(50_000)
})
