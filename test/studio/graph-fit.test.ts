import { expect, test } from 'vitest'
import { fitAll, MARGIN, MIN_ZOOM, TOP } from '../../lib/ui/studio/graph/model/fit.ts'

const CANVAS = { width: 800, height: 500 }
const MAP = { width: 198, height: 142 }

function boxes(...places: readonly (readonly [x: number, y: number])[]) {
  return {
    boxes: places.map((_, index) => ({ key: String(index), width: 200, height: 100 })),
    places: new Map(places.map(([x, y], index) => [String(index), { x, y }])),
  }
}

function fitted(at: ReturnType<typeof boxes>, map?: typeof MAP) {
  const { x, y, zoom } = fitAll(at.boxes, at.places, CANVAS, map)
  const shown = [...at.places.values()].map((place) => ({
    left: place.x * zoom + x,
    top: place.y * zoom + y,
    right: (place.x + 200) * zoom + x,
    bottom: (place.y + 100) * zoom + y,
  }))
  return { zoom, shown }
}

test('all nodes are shown at their size where they have room', () => {
  const { zoom, shown } = fitted(boxes([0, 0], [300, 200]))
  expect(zoom).toBe(1)
  for (const { left, top, right, bottom } of shown) {
    expect(left).toBeGreaterThanOrEqual(MARGIN)
    expect(top).toBeGreaterThanOrEqual(TOP)
    expect(right).toBeLessThanOrEqual(CANVAS.width - MARGIN)
    expect(bottom).toBeLessThanOrEqual(CANVAS.height - MARGIN)
  }
})

test('nodes that are not beneath the map stay where they are without it', () => {
  const corner = boxes([0, 0], [1000, 0], [0, 600])
  expect(fitted(corner, MAP)).toEqual(fitted(corner))
})

test.each([
  ['above the map when they are wide', boxes([0, 0], [1400, 200])],
  ['beside the map when they are high', boxes([0, 0], [300, 1200])],
])('nodes move %s', (_, at) => {
  const { zoom, shown } = fitted(at, MAP)
  expect(zoom).toBeLessThanOrEqual(fitted(at).zoom)
  const isBeneath = shown.some(
    ({ right, bottom }) => right > CANVAS.width - MAP.width && bottom > CANVAS.height - MAP.height,
  )
  expect(isBeneath).toBe(false)
})

test('the zoom has a lower end', () => {
  expect(fitted(boxes([0, 0], [100_000, 0])).zoom).toBe(MIN_ZOOM)
})
