import { describe, expect, it } from 'vitest'
import { forgetPlaces, link, placeNodes, takeOff } from '#lib/studio/document/commands/graph.ts'
import { refKey } from '#lib/studio/document/node-ref.ts'
import { type Library, partsOf, wouldCircle } from '#lib/studio/document/parts.ts'
import { problems } from '#lib/studio/document/problems.ts'
import { reuse } from '#lib/studio/document/same.ts'
import { shapesOf } from '#lib/studio/document/shapes.ts'
import type { ConnectorEntry, StudioDocument } from '#lib/studio/document/types.ts'
import { neighbour } from '#lib/ui/studio/graph/graph-keys.ts'
import { arrange, layOut } from '#lib/ui/studio/graph/model/arrange.ts'
import { type Graph, type GraphRoot, graphOf } from '#lib/ui/studio/graph/model/graph-of.ts'
import { heightOfNode, NODE_WIDTH, startsOf } from '#lib/ui/studio/graph/model/sizes.ts'
import { documentOf, publishedConnector } from '../../studio/document/entries.ts'
import { connector, largeDocument } from './graph-site.ts'

/** The same objects at each look-up, as in the studio. */
const published = new Map(
  [
    publishedConnector('duet', 'pitch'),
    publishedConnector('pitch', ''),
    publishedConnector('__proto__', ''),
  ].map((connector) => [connector.name, connector]),
)

const library: Library = {
  find(kind, name) {
    const found = kind === 'connector' ? published.get(name) : undefined
    if (found === undefined) return name === 'toString' ? 'unknown' : 'absent'
    return found
  },
}

function source(document: StudioDocument, options: { toggled?: string[]; allSlots?: string[] } = {}) {
  const parts = partsOf(document, library)
  const found = problems(document, library)
  return {
    document,
    parts,
    shapes: shapesOf(parts),
    problemsAt: Map.groupBy(found, ({ at }) => refKey(at)),
    toggled: new Set(options.toggled ?? []),
    allSlots: new Set(options.allSlots ?? []),
  }
}
function read(
  document: StudioDocument,
  options?: Parameters<typeof source>[1],
  root: GraphRoot = { entryId: 'id-song' },
) {
  return graphOf(root, source(document, options))
}
function shown({ nodes, links }: Graph) {
  return {
    nodes: nodes.map(({ key, state }) => `${key} ${state}`),
    links: links.map(({ from, to, slot }) => `${from} > ${to}${slot === undefined ? '' : ` @${slot}`}`),
  }
}

describe('a graph', () => {
  it('shows each connector once, with a link for each use, and missing ones', () => {
    const document = documentOf(
      connector(
        'song',
        { to: 'duet', slots: { 0: 'mine' } },
        { to: 'mine' },
        { to: 'toString' },
        { to: '__proto__' },
      ),
      connector('mine', ['x']),
      connector('loose', ['x']),
    )
    expect(shown(read(document))).toEqual({
      nodes: [
        'own/id-song own',
        'outside/duet published',
        'own/id-mine own',
        'outside/toString unknown',
        'outside/__proto__ published',
      ],
      links: [
        'own/id-song > outside/duet',
        'own/id-song > own/id-mine @0',
        'own/id-song > own/id-mine',
        'own/id-song > outside/toString',
        'own/id-song > outside/__proto__',
      ],
    })
  })

  it('opens what is published to what it was published with, whatever is drafted here', () => {
    const document = documentOf(connector('song', { to: 'duet' }), connector('pitch', ['x']))
    expect(shown(read(document, { toggled: ['outside/duet'] })).links).toEqual([
      'own/id-song > outside/duet',
      'outside/duet > outside/pitch',
    ])
    expect(shown(read(document, { toggled: ['own/id-song'] })).links).toEqual([])
    expect(shown(read(document, {}, { name: 'duet' })).nodes).toEqual([
      'outside/duet published',
      'outside/pitch published',
    ])
  })

  it('ends in circles, and shows what was put on it by hand', () => {
    const circle = documentOf(
      connector('song', { to: 'b' }),
      connector('b', { to: 'song' }),
      connector('loose', ['x']),
    )
    expect(shown(read(circle)).links).toEqual(['own/id-song > own/id-b', 'own/id-b > own/id-song'])
    const placed = placeNodes(
      circle,
      'id-song',
      new Map([
        ['own/id-loose', { x: 1, y: 2 }],
        ['outside/pitch', { x: 0, y: 0 }],
        ['own/gone', { x: 0, y: 0 }],
      ]),
    )
    expect(shown(read(placed)).nodes.slice(1)).toEqual([
      'own/id-loose own',
      'outside/pitch published',
      'own/id-b own',
    ])
  })

  it('lists few open slots by default, and the number left out of a wide connector', () => {
    const wide = connector('wide', ...Array.from({ length: 50 }, () => []))
    const song = connector('song', { to: 'wide', slots: { 7: 'duet' } })
    const [top] = read(documentOf(song, wide)).nodes
    expect(top!.lines.map(({ kind }) => kind)).toEqual(['dimension', 'composite', 'slot', 'slots'])
    expect(top!.lines.at(-1)).toMatchObject({ amount: 49 })
    const composite = top!.lines[1]!.key
    expect(read(documentOf(song, wide), { allSlots: [composite] }).nodes[0]!.lines).toHaveLength(52)
    const [, many] = read(documentOf(song, wide)).nodes
    expect(many!.lines.at(-1)).toMatchObject({ kind: 'more', amount: 10 })
  })

  it('reuses what did not change, so that typing renders one node', () => {
    const before = largeDocument(60)
    const first = graphOf({ entryId: 'id-whole' }, source(before))
    const entries = before.entries.map((entry) =>
      entry.id === 'id-leaf_3'
        ? { ...(entry as ConnectorEntry), name: entry.name, condition: { name: 'gate', args: ['x'] } }
        : entry,
    )
    const next = graphOf({ entryId: 'id-whole' }, source({ ...before, entries }))
    const kept = reuse(first.nodes, next.nodes)
    const changed = kept.filter((node, index) => node !== first.nodes[index]).map(({ name }) => name)
    // The leaf, and its users, which report that a part of them is broken.
    expect(changed).toEqual(['whole', 'part_3', 'leaf_3'])
    expect(reuse(first.links, next.links)).toBe(first.links)
  })
})

describe('places', () => {
  const boxes = (graph: Graph) =>
    graph.nodes.map((node) => ({ key: node.key, width: NODE_WIDTH, height: heightOfNode(node) }))
  const bonds = (graph: Graph) => {
    const drops = new Map(
      graph.nodes.flatMap((node) => startsOf(node).map(({ line, y }) => [line.key, y] as const)),
    )
    return graph.links.map(({ key, from, to, line }) => ({ key, from, to, drop: drops.get(line)! }))
  }
  const overlaps = (graph: Graph, places: ReadonlyMap<string, { x: number; y: number }>) => {
    const all = boxes(graph).map((box) => ({ ...box, ...places.get(box.key)! }))
    return all.flatMap((a, index) =>
      all
        .slice(index + 1)
        .filter(
          (b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height,
        )
        .map((b) => `${a.key} ${b.key}`),
    )
  }

  it('go from left to right without overlaps, also for 500, in a shape that fits a screen', () => {
    const graph = graphOf({ entryId: 'id-whole' }, source(largeDocument(500)))
    const places = layOut(boxes(graph), bonds(graph))
    expect(places.size).toBe(500)
    expect(overlaps(graph, places)).toEqual([])
    for (const { from, to } of graph.links) expect(places.get(to)!.x).toBeGreaterThan(places.get(from)!.x)
    const xs = [...places.values()].map(({ x }) => x)
    const ys = [...places.values()].map(({ y }) => y)
    const ratio = (Math.max(...xs) - Math.min(...xs)) / (Math.max(...ys) - Math.min(...ys))
    expect(ratio).toBeGreaterThan(0.5)
    expect(ratio).toBeLessThan(4)
  })

  it('stay as they are when something is added, which comes beside what leads to it', () => {
    const before = read(documentOf(connector('song', { to: 'duet' })))
    const known = new Map([
      ['own/id-song', { x: 1000, y: 500 }],
      ['outside/duet', { x: 1500, y: 480 }],
    ])
    const after = read(documentOf(connector('song', { to: 'duet' }, { to: 'pitch' })))
    const places = arrange(boxes(after), bonds(after), known, new Set(['outside/duet']))
    expect(before.nodes).toHaveLength(2)
    expect(places.get('own/id-song')).toEqual({ x: 1000, y: 500 })
    expect(places.get('outside/duet')).toEqual({ x: 1500, y: 480 })
    expect(places.get('outside/pitch')!.x).toBeGreaterThan(1300)
    expect(overlaps(after, places)).toEqual([])
  })

  it('lead the arrow keys along links, else to the nearest', () => {
    const places = new Map([
      ['a', { x: 0, y: 0 }],
      ['b', { x: 400, y: 300 }],
      ['c', { x: 400, y: 0 }],
      ['d', { x: 0, y: 200 }],
    ])
    const links = [{ from: 'a', to: 'b' }]
    expect(neighbour('ArrowRight', 'a', links, places)).toBe('b')
    expect(neighbour('ArrowRight', 'd', links, places)).toBe('b')
    expect(neighbour('ArrowLeft', 'b', links, places)).toBe('a')
    expect(neighbour('ArrowDown', 'a', links, places)).toBe('d')
    expect(neighbour('ArrowUp', 'a', links, places)).toBeUndefined()
  })
})

describe('commands of the graph', () => {
  const at = { kind: 'dimension', entryId: 'id-song', dimensionId: 'song-0' } as const
  const document = documentOf(
    connector('song', { to: 'mine', slots: { 0: 'duet' } }, { to: 'duet', slots: { 1: 'mine' } }),
    connector('mine', { to: 'deep' }),
    connector('deep', []),
  )
  const uses = ({ entries }: StudioDocument) =>
    (entries[0] as ConnectorEntry).dimensions.map(({ composite, bindings }) => [
      composite,
      ...bindings.map(({ name }) => name),
    ])

  it('link and unlink dimensions and slots', () => {
    expect(uses(link(document, at, 'pitch'))[0]).toEqual(['pitch', 'duet'])
    expect(uses(link(document, at, ''))[0]).toEqual([''])
    expect(uses(link(document, { ...at, kind: 'binding', slot: 0 }, ''))[0]).toEqual(['mine'])
  })

  it('take a connector off with all links to it, and leave it among the entries', () => {
    const placed = placeNodes(document, 'id-song', new Map([['own/id-mine', { x: 1, y: 1 }]]))
    const off = takeOff(placed, {
      root: 'id-song',
      key: 'own/id-mine',
      name: 'mine',
      users: new Set(['id-song']),
    })
    expect(uses(off)).toEqual([[''], ['duet']])
    expect(off.places).toEqual([])
    expect(off.entries).toHaveLength(3)
    expect(
      takeOff(off, { root: 'id-song', key: 'own/id-mine', name: 'mine', users: new Set(['id-song']) }),
    ).toBe(off)
  })

  it('forget a layout except of what would vanish with it', () => {
    const placed = placeNodes(
      document,
      'id-song',
      new Map([
        ['own/id-mine', { x: 1, y: 1 }],
        ['own/id-deep', { x: 2, y: 2 }],
      ]),
    )
    const forgotten = forgetPlaces(placed, 'id-song', new Map([['own/id-deep', { x: 9, y: 9 }]]))
    expect(forgotten.places).toEqual([{ entryId: 'id-song', node: 'own/id-deep', x: 9, y: 9 }])
  })

  it('detect circles before they are made', () => {
    const parts = partsOf(document, library)
    expect(wouldCircle('id-deep', 'song', document, parts)).toBe(true)
    expect(wouldCircle('id-song', 'song', document, parts)).toBe(true)
    expect(wouldCircle('id-song', 'deep', document, parts)).toBe(false)
    expect(wouldCircle('id-deep', 'duet', document, parts)).toBe(false)
  })
})
