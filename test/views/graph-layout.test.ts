import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DependencyGraph } from '#lib/core/entities/dependency-graph.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import { BOX_HEIGHT, layoutGraph } from '../../app/(site)/_entity/graph-layout.ts'

function id(index: number): Hash {
  return `0x${index}`
}

/** Any graph without cycles whose every node hangs on an earlier one. */
const graphs = fc
  .array(fc.record({ users: fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), more: fc.nat(2) }), {
    maxLength: 40,
  })
  .map((parts): DependencyGraph => {
    const users = parts.map(({ users: wanted }, index) => new Set(wanted.map((user) => user % (index + 1))))
    return {
      nodes: [{ more: 0 }, ...parts].map(({ more }, index) => ({
        id: id(index),
        kind: 'connector',
        name: `n${'x'.repeat(index)}`,
        more,
        uses: users.flatMap((of, part) => (of.has(index) ? [{ to: id(part + 1), times: 1 }] : [])),
      })),
    }
  })

test('boxes do not overlap, lines lead to the right and past boxes, and all is inside', () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const { boxes, lines, width, height } = layoutGraph(graph)
      expect(boxes.length).toBe(graph.nodes.length + graph.nodes.filter(({ more }) => more > 0).length)
      for (const [index, a] of boxes.entries()) {
        expect(a.x).toBeGreaterThanOrEqual(0)
        expect(a.y).toBeGreaterThanOrEqual(0)
        expect(a.x + a.width).toBeLessThanOrEqual(width)
        expect(a.y + BOX_HEIGHT).toBeLessThanOrEqual(height + 1e-6)
        for (const b of boxes.slice(index + 1)) {
          const beside = a.x + a.width <= b.x || b.x + b.width <= a.x
          const above = a.y + BOX_HEIGHT <= b.y + 1e-6 || b.y + BOX_HEIGHT <= a.y + 1e-6
          expect(beside || above).toBe(true)
        }
      }
      for (const { from, to, lanes } of lines) {
        expect(from.x + from.width).toBeLessThan(to.x)
        for (const lane of lanes) {
          expect(lane.y).toBeGreaterThanOrEqual(0)
          expect(lane.y).toBeLessThanOrEqual(height)
          const crossed = boxes.filter(
            ({ x, y, width: wide }) =>
              x < lane.x + lane.width && x + wide > lane.x && y < lane.y && y + BOX_HEIGHT > lane.y,
          )
          expect(crossed).toEqual([])
        }
      }
    }),
    { numRuns: 100 },
  )
})
