import { describe, expect, it, vi } from 'vitest'
import { matchesShortcut } from '#lib/browser/shortcut.ts'
import { arrange } from '#lib/engine/sound/arrangement.ts'
import type { ConnectorSound } from '#lib/engine/sound/settings.ts'
import { partsOf, UNKNOWN_LIBRARY } from '#lib/studio/document/parts.ts'
import type { Shape } from '#lib/studio/document/shapes.ts'
import { withoutTab, withTab } from '#lib/studio/document/types.ts'
import { createLiveLibrary } from '#lib/studio/library/live-library.ts'
import { type Form, firstLines, lineOf, rowsOf } from '#lib/ui/studio/outline/rows.ts'
import { firstNotes } from '#lib/ui/studio/outline/voice-notes.tsx'
import { connectorEntry, dimension } from '../../studio/document/entries.ts'

const entry = connectorEntry(
  'e',
  'song',
  [
    dimension('d0', {
      calls: [{ id: 'c', name: 'add', args: ['1'] }],
      composite: 'wide',
      bindings: [
        { slot: 1, name: 'pitch' },
        { slot: 500, name: 'time' },
      ],
    }),
    dimension('d1'),
  ],
  { condition: { name: 'gate', args: [] } },
)

const wide: Shape = {
  name: 'wide',
  dimensions: [],
  staticRi: [],
  leaves: Array.from({ length: 1000 }, (_, dimension) => ({ connector: 'wide', dimension })),
  depth: 1,
  parts: new Map(),
}

describe('the lines of an outline', () => {
  const rows = (
    shape: Shape | undefined,
    closed: ReadonlySet<string> = new Set(),
    form: Form = 'list',
    expanded: ReadonlySet<string> = new Set(),
  ) =>
    rowsOf(entry, {
      form,
      expanded,
      shapeOf: () => shape,
      parts: partsOf({ entries: [entry], places: [] }, UNKNOWN_LIBRARY),
      problemsAt: new Map(),
      starts: undefined,
      arrangement: undefined,
      closed,
      held: undefined,
    })
  const read = (...given: Parameters<typeof rows>) =>
    rows(...given).map(
      (row) => `${row.level} ${row.kind}${row.kind === 'slot' ? ` ${row.slot} ${row.label}`.trimEnd() : ''}`,
    )

  it('show filled slots even while nothing is known of the connector they are of', () => {
    expect(read(undefined)).toEqual([
      '1 dimension',
      '2 start',
      '2 phrase',
      '2 composite',
      '3 slot 1',
      '3 slot 500',
      '1 dimension',
      '2 composite',
      '1 condition',
    ])
  })

  it('list the first slots of a wide one and every filled one', () => {
    const lines = read(wide)
    expect(lines.filter((row) => row.startsWith('3'))).toHaveLength(65)
    expect(lines).toContain('3 slot 500 wide:500')
  })

  it('are one for all open slots of a score, until they are unfolded', () => {
    const slotsIn = (lines: readonly string[]) => lines.filter((line) => line.startsWith('3'))
    const voice = rows(wide, new Set(), 'score')[0]!.key
    const [folded] = rows(wide, new Set(), 'score').filter(({ kind }) => kind === 'slots')
    expect(folded).toMatchObject({ count: 998, voice })
    expect(slotsIn(read(wide, new Set(), 'score'))).toEqual([
      '3 slot 1 wide:1',
      '3 slot 500 wide:500',
      '3 slots',
    ])
    expect(slotsIn(read(wide, new Set(), 'score', new Set([voice])))).toHaveLength(65)
  })

  it('close with their dimension', () => {
    const [first] = rows(undefined)
    expect(read(wide, new Set([first!.key]))).toEqual([
      '1 dimension',
      '1 dimension',
      '2 composite',
      '1 condition',
    ])
  })
})

describe('the first notes of a voice', () => {
  const keys = { path: '0', instrument: 'keys', mapping: 'steps', octave: 4, span: 2 } as const
  const notes = (data: readonly number[], paths: ConnectorSound['paths'] = [keys]) =>
    firstNotes(arrange([{ path: '/song:0', data }], { scale: 'major', paths }), 0)

  it('are at most eight of those that sound', () => {
    expect(notes([0, 2, 4, 7])).toBe('C4 E4 G4 C5')
    expect(notes([0, 1, 2, 3, 4, 5, 6, 7, 8])).toBe('C4 D4 E4 F4 G4 A4 B4 C5 …')
    expect(notes([60, 200, 61], [{ ...keys, mapping: 'notes' }])).toBe('C4 C♯4')
    expect(notes([0, 2], [{ ...keys, level: 0 }])).toBe('')
  })

  it('are one where it never changes', () => {
    expect(notes([5, 5, 5])).toBe('A4')
  })

  it('are none of a drum, and of a voice of several paths', () => {
    expect(notes([0, 1, 0, 1], [{ path: '0', instrument: 'kick' }])).toBe('')
    const streams = [0, 1].map((leaf) => ({ path: `/song:0/duet:${leaf}`, data: [0, 1, 2, 3, 4, 5, 6] }))
    expect(firstNotes(arrange(streams, {}), 0)).toBe('')
  })
})

describe('thousands of steps', () => {
  const calls = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `c${index}`, name: 'set_to', args: ['1'] }))
  const hostile = connectorEntry('e', 'song', [
    dimension('d0', { calls: calls(5) }),
    dimension('d1', { calls: calls(20_000) }),
    ...Array.from({ length: 20_000 }, (_, index) => dimension(`more${index}`)),
  ])

  it('are drawn as far as there is room, and the rest is counted', () => {
    const { entry: shown, hidden, cut } = firstLines(hostile, 256)
    expect(shown.dimensions.map((each) => each.calls.length)).toEqual([5, 249])
    expect([hidden, cut]).toEqual([40_007 - 256, 'd1'])
    const form = {
      form: 'score',
      shapeOf: () => undefined,
      starts: undefined,
      closed: new Set<string>(),
      expanded: new Set<string>(),
    } as const
    const known = { problemsAt: new Map(), arrangement: undefined, held: undefined, cut }
    const parts = partsOf({ entries: [hostile], places: [] }, UNKNOWN_LIBRARY)
    const rows = rowsOf(shown, { ...form, ...known, parts })
    const fields = rows.flatMap((row) => (row.kind === 'phrase' ? row.calls : []))
    expect(fields).toHaveLength(254)
    expect(rows.some((row) => row.kind === 'phrase' && row.index === 1 && row.tied)).toBe(false)
  })

  it('are all drawn where they fit, and each has its line', () => {
    expect(firstLines(entry, 256)).toEqual({ entry, hidden: 0 })
    const at = { kind: 'call', entryId: 'e', dimensionId: 'd1', callId: 'c7' } as const
    expect(lineOf(hostile, at)).toBe(15)
    expect(lineOf(hostile, { kind: 'dimension', entryId: 'e', dimensionId: 'more0' })).toBe(20_008)
    expect(lineOf(hostile, { kind: 'condition', entryId: 'e' })).toBeUndefined()
  })
})

describe('a shortcut', () => {
  const stroke = (key: string, ...held: ('alt' | 'ctrl' | 'meta' | 'shift')[]) => ({
    key,
    altKey: held.includes('alt'),
    ctrlKey: held.includes('ctrl'),
    metaKey: held.includes('meta'),
    shiftKey: held.includes('shift'),
  })

  it.each([
    [stroke('z', 'ctrl'), 'Mod+Z', true],
    [stroke('Z', 'ctrl', 'shift'), 'Mod+Shift+Z', true],
    [stroke('z', 'ctrl', 'shift'), 'Mod+Z', false],
    [stroke('z'), 'Mod+Z', false],
    [stroke('a'), 'A', true],
    [stroke('a', 'ctrl'), 'A', false],
    [stroke('Backspace'), 'Delete', true],
    [stroke('?', 'shift'), '?', true],
    [stroke('ArrowUp', 'alt'), 'Alt+ArrowUp', true],
    [stroke('ArrowUp'), 'Alt+ArrowUp', false],
  ])('%o is %s: %s', (pressed, shortcut, matches) => {
    expect(matchesShortcut(pressed, shortcut, false)).toBe(matches)
  })

  it.each([
    ['Cyrillic', 'я', 'KeyZ', 'Mod+Z', true],
    ['Greek', 'κ', 'KeyK', 'Mod+K', true],
    ['Hebrew', 'ג', 'KeyD', 'Mod+D', true],
    ['Arabic', 'ؤ', 'KeyC', 'Mod+C', true],
    ['Thai, a mark', 'ั', 'KeyY', 'Mod+Y', true],
    ['full width', 'ｚ', 'KeyZ', 'Mod+Z', true],
    ['AZERTY: the character counts', 'z', 'KeyW', 'Mod+Z', true],
    ['AZERTY: the place does not', 'w', 'KeyZ', 'Mod+Z', false],
    ['AZERTY: a comma where M is', ',', 'KeyM', 'Mod+M', false],
    ['QWERTZ', 'y', 'KeyZ', 'Mod+Z', false],
    ['Dvorak', 'k', 'KeyV', 'Mod+K', true],
  ])('is found on a layout: %s', (_, key, code, shortcut, matches) => {
    expect(matchesShortcut({ ...stroke(key, 'ctrl'), code }, shortcut, false)).toBe(matches)
  })

  it.each([
    ['a question mark', { ...stroke('؟', 'shift'), code: 'Slash' }, '?', true],
    ['what Option makes of a letter', { ...stroke('¬', 'alt'), code: 'KeyL' }, 'Alt+L', true],
    ['Command', stroke('z', 'meta'), 'Mod+Z', true],
    ['Control, which edits text', stroke('d', 'ctrl'), 'Mod+D', false],
    ['both', stroke('d', 'ctrl', 'meta'), 'Mod+D', false],
    ['Control, without Mod', stroke('d', 'ctrl'), 'D', false],
  ])('is Command on a Mac: %s', (_, pressed, shortcut, matches) => {
    expect(matchesShortcut(pressed, shortcut, true)).toBe(matches)
  })

  it('is no Command elsewhere', () => {
    expect(matchesShortcut(stroke('z', 'meta'), 'Mod+Z', false)).toBe(false)
  })
})

describe('open tabs', () => {
  it('come to the front once, and leave it to their neighbour', () => {
    const tab = (entryId: string) => ({ kind: 'entry', entryId }) as const
    let view = ['a', 'b', 'c'].reduce((open, id) => withTab(open, tab(id)), {
      tabs: [],
      active: null,
    } as Parameters<typeof withTab>[0])
    expect(withTab(view, tab('c'))).toBe(view)
    view = withTab(view, tab('b'))
    expect(view.tabs).toHaveLength(3)
    view = withoutTab(view, 'entry/b')
    expect(view.active).toBe('entry/c')
    view = withoutTab(view, 'entry/c')
    expect(view.active).toBe('entry/a')
    expect(withoutTab(view, 'entry/gone')).toBe(view)
    expect(withoutTab(view, 'entry/a')).toEqual({ tabs: [], active: null })
  })
})

describe('the live library', () => {
  const code = (name: string) =>
    ({
      kind: 'transformation',
      name,
      owner: '0x01',
      address: undefined,
      contentHash: '0x02',
      argsCount: 1,
    }) as const

  it('fetches each name once, caches absence, and notifies subscribers', async () => {
    const asked: string[] = []
    const library = createLiveLibrary(async (names) => {
      asked.push(...names.map(({ kind, name }) => `${kind}/${name}`))
      return names.flatMap(({ name }) => (name === '__proto__' ? [] : [code(name)]))
    })
    const stop = library.start()
    const before = library.getState()
    const told = new Promise<void>((resolve) => {
      library.subscribe(() => asked.length === 2 && resolve())
    })
    for (let i = 0; i < 3; i++) {
      expect(library.find('transformation', 'toString')).toBe('unknown')
      expect(library.find('transformation', '__proto__')).toBe('unknown')
    }
    await told
    await Promise.resolve()
    expect(library.find('transformation', 'toString')).toEqual(code('toString'))
    expect(library.find('transformation', '__proto__')).toBe('absent')
    expect(library.getState()).not.toBe(before)
    expect(asked).toEqual(['transformation/toString', 'transformation/__proto__'])
    stop()
  })

  it('reports unknown while the server is unreachable, and sends nothing once stopped', async () => {
    vi.useFakeTimers()
    let requests = 0
    const library = createLiveLibrary(async () => {
      requests += 1
      throw new Error('no connection')
    })
    const stop = library.start()
    library.find('condition', 'gate')
    await vi.advanceTimersByTimeAsync(400)
    expect(library.find('condition', 'gate')).toBe('unknown')
    expect(requests).toBe(1)
    stop()
    library.find('condition', 'other')
    await vi.advanceTimersByTimeAsync(400)
    expect(requests).toBe(1)
  })
})
