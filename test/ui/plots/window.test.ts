import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { between, fitWindow, follow, pan, wholeWindow, zoom } from '#lib/ui/plots/window.ts'

describe('the window of steps', () => {
  test('stays inside the run at any zoom, pan and brush, with the step visible after a zoom', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 65_536 }),
        fc.array(
          fc.tuple(
            fc.constantFrom(0.5, 0.93, 1.1, 2),
            fc.double({ min: 0, max: 1, noNaN: true }),
            fc.integer({ min: -70_000, max: 70_000 }),
          ),
          { maxLength: 30 },
        ),
        (steps, moves) => {
          let window = wholeWindow(steps)
          for (const [factor, share, by] of moves) {
            const step = Math.round(share * (steps - 1))
            for (const next of [pan(window, by, steps), between(step, window.first, steps)]) {
              expect(next.first).toBeGreaterThanOrEqual(0)
              expect(next.last).toBeLessThan(steps)
              expect(next.last).toBeGreaterThanOrEqual(next.first)
            }
            window = between(step, window.last, steps)
            expect(window.first <= step && step <= window.last).toBe(true)
            window = zoom(window, factor, step, steps)
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

  test('zooms by factors near one, too: a slow wheel is not lost', () => {
    let window = { first: 0, last: 19 }
    for (let turn = 0; turn < 12; turn++) window = zoom(window, 0.99, 10, 1000)
    expect(window.last - window.first + 1).toBe(8)
    for (let turn = 0; turn < 12; turn++) window = zoom(window, 1.01, 10, 1000)
    expect(window.last - window.first + 1).toBe(20)
  })

  test('turns the page with what plays, and stays where it was put by hand', () => {
    const window = { first: 10, last: 19 }
    expect(follow(window, 14, 15, 100)).toEqual(window)
    expect(follow(window, 19, 20, 100)).toEqual({ first: 20, last: 29 })
    expect(follow(window, 10, 9, 100)).toEqual({ first: 0, last: 9 })
    // The loop begins again.
    expect(follow({ first: 90, last: 99 }, 99, 0, 100)).toEqual({ first: 0, last: 9 })
    expect(follow(window, 50, 51, 100)).toEqual(window)
  })

  test('is cut to a shorter run, or reset when nothing of it is left', () => {
    expect(fitWindow({ first: 10, last: 90 }, 50)).toEqual({ first: 10, last: 49 })
    expect(fitWindow({ first: 60, last: 90 }, 50)).toEqual({ first: 0, last: 49 })
    expect(fitWindow({ first: 10, last: 20 }, 50)).toEqual({ first: 10, last: 20 })
  })
})
