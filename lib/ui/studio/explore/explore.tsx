'use client'

import { type KeyboardEvent, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { counted } from '#lib/browser/format.ts'
import { prefersReducedMotion } from '#lib/browser/reduced-motion.ts'
import { type ActionId, actionAt } from '#lib/studio/actions.ts'
import { addEntry } from '#lib/studio/document/commands/entries.ts'
import { type ConnectorEntry, newId, tabKey } from '#lib/studio/document/types.ts'
import type { Sheet, SheetQuestion, Variation } from '#lib/studio/explore/messages.ts'
import type { Locks } from '#lib/studio/explore/mutate.ts'
import { useCurrentSession } from '../common/session.tsx'
import { useTransport } from '../transport/use-transport.ts'
import { usePluginWorld } from '../worlds/plugin-worlds.ts'
import { useWorldsOf } from '../worlds/use-worlds-of.ts'
import { applyVariation, changesOf, variedCopy } from './numbers.ts'
import { SheetControls } from './sheet-controls.tsx'
import { noteOf, type Sorting, sorted, wordsOf } from './sorting.ts'
import { streamsOf, Tile, useColors, useColumns } from './tile.tsx'
import { usePictures } from './use-pictures.ts'
import { useSheet } from './use-sheet.ts'
import { VariationBar } from './variation-bar.tsx'

const NO_LOCKS: Locks = { starts: false, arguments: false, order: false }
const NO_PARENTS: readonly Uint32Array[] = []
const HIGHEST_SEED = 9999
const NO_SOUND = {}
function ignore(): void {}

/**
 * A contact sheet of variations of a connector, over its result. Escape leaves; opening a variation is one step of undo
 * and leaves too.
 */
export function Explore({ entry, onClose }: { entry: ConnectorEntry; onClose: () => void }) {
  const { document: store, announce, freeNames, sound: device } = useCurrentSession()
  const { transport } = device
  const { playing } = useTransport()
  const [question, setQuestion] = useState<SheetQuestion>(() => ({
    size: 16,
    seed: 1 + Math.floor(Math.random() * HIGHEST_SEED),
    locks: NO_LOCKS,
    parents: NO_PARENTS,
  }))
  const [sorting, setSorting] = useState<Sorting>('drawn')
  const { sheet, isWaiting, problem } = useSheet(entry, question)
  const shown = useMemo(() => (sheet ? sorted(sheet.variations, sorting) : []), [sheet, sorting])
  const [front, setFront] = useState(0)
  const [marks, setMarks] = useState<readonly Variation[]>([])
  const current = shown.find(({ index }) => index === front) ?? shown[0]
  // What was marked belongs to its sheet.
  const marked = marks.filter((one) => shown.includes(one))
  const [keptKeys, setKeptKeys] = useState<ReadonlySet<string>>(new Set())
  const grid = useRef<HTMLDivElement>(null)
  const title = useId()
  const colors = useColors(grid)
  const { columns, isRoomy } = useColumns(grid, shown.length)
  const frame = useRef<HTMLElement>(null)

  const { id, name, sound } = entry
  const [attached] = useWorldsOf(tabKey({ kind: 'entry', entryId: id })).attached
  const { data } = usePluginWorld(attached?.world)
  // Without motion the pictures are plots.
  const plugin = data && !prefersReducedMotion() ? data : undefined
  const pictures = usePictures(plugin?.tile.id, sheet, shown, current, isRoomy)
  const world = useMemo(() => plugin && { plugin, name }, [plugin, name])
  const listen = useCallback(
    (drawn: Sheet, variation: Variation) => {
      const key = tabKey({ kind: 'entry', entryId: id })
      const own = transport.own()
      const source = own?.key === key ? own : undefined
      const playedSound = source?.sound ?? sound ?? NO_SOUND
      const onSound = source?.onSound ?? ignore
      transport.lend({ key, name, streams: streamsOf(drawn, variation), sound: playedSound, onSound })
    },
    [id, name, sound, transport],
  )
  const point = useCallback(
    (variation: Variation) => {
      setFront(variation.index)
      if (sheet) listen(sheet, variation)
    },
    [sheet, listen],
  )
  // A pointer plays what is under it; what played before it came plays on when it leaves.
  const isHoverPlaying = useRef(false)
  /** True where the sound was begun here, and ends with the sheet. */
  const isOwnSound = useRef(false)
  useEffect(
    () => () => {
      if (isHoverPlaying.current || isOwnSound.current) transport.stop()
      transport.endLoan()
    },
    [transport],
  )
  const hover = useCallback(
    (variation: Variation) => {
      point(variation)
      if (transport.getState().playing) return
      isHoverPlaying.current = true
      transport.play()
    },
    [point, transport],
  )
  const unhover = () => {
    if (isHoverPlaying.current) transport.stop()
    isHoverPlaying.current = false
  }
  // Escape leaves from the beginning, and the focus goes back to where it was.
  useEffect(() => {
    const before = document.activeElement
    frame.current?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])

  // A new sheet sounds where the focus was, and keeps the focus where its place is gone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once a sheet
  useEffect(() => {
    const { activeElement } = document
    if (sheet === undefined || current === undefined) return
    if (grid.current?.contains(activeElement)) listen(sheet, current)
    else if (activeElement === document.body || activeElement === frame.current) focus(current)
  }, [sheet])

  const focus = (variation: Variation | undefined) => {
    if (variation)
      grid.current?.querySelector<HTMLElement>(`[data-variation="${tileId(title, variation)}"]`)?.focus()
  }
  const open = (variation: Variation) => {
    if (sheet === undefined) return
    const { document: before } = store.getState()
    store.edit('Open variation', (document) =>
      applyVariation(document, entry.id, sheet.layout, variation.numbers),
    )
    isOwnSound.current = false
    transport.endLoan('keep')
    const { document } = store.getState()
    announce(`Variation ${variation.index} is open.`, document === before ? undefined : document)
    onClose()
  }
  const keep = async (variation: Variation) => {
    const key = variation.numbers.join()
    if (sheet === undefined || keptKeys.has(key)) return
    setKeptKeys((before) => new Set([...before, key]))
    const { layout } = sheet
    const copy = variedCopy(store.getState().document, entry.id, {
      layout,
      numbers: variation.numbers,
      newId,
    })
    const [named] = copy ? await freeNames([copy]) : []
    if (named === undefined) return
    store.edit('Keep variation', (document) => {
      const at = document.entries.findIndex(({ id }) => id === entry.id) + 1
      return addEntry(document, { entry: named, at })
    })
    announce(`Kept as ${named.name}, below ${entry.name}.`)
  }
  const ask = (next: Partial<SheetQuestion>) => setQuestion({ ...question, ...next })
  const moreLike = (variation: Variation) => {
    ask({ parents: [variation.numbers] })
    announce(`Variations near number ${variation.index}.`)
  }
  const mark = (variation: Variation) => {
    const others = marked.filter(({ index }) => index !== variation.index)
    setMarks(others.length < marked.length ? others : [...others, variation].slice(-2))
  }
  const breed = () => {
    const [one, other] = marked
    if (one === undefined || other === undefined) return
    ask({ parents: [one.numbers, other.numbers] })
    announce(`Variations that mix number ${one.index} and number ${other.index}.`)
  }

  const hear = (variation: Variation) => {
    point(variation)
    isHoverPlaying.current = false
    isOwnSound.current = !transport.getState().playing
    transport.toggle()
  }

  const actions: Partial<Record<ActionId, (variation: Variation) => unknown>> = {
    'open-variation': open,
    'keep-variation': keep,
    'more-like': moreLike,
    'mark-parent': mark,
    breed,
    // The transport leaves the space bar to lists.
    'play-variation': hear,
  }
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    if (current === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const at = shown.indexOf(current)
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at + columns,
      ArrowUp: at - columns,
      Home: 0,
      End: shown.length - 1,
    }
    const to = steps[event.key]
    const id = actionAt('variation', event)
    const action = id && actions[id]
    if (to !== undefined) focus(shown[to])
    else if (action) action(current)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <section
      ref={frame}
      tabIndex={-1}
      aria-labelledby={title}
      className="flex h-full min-h-0 flex-col bg-ground outline-none"
      onKeyDown={(event) => {
        const { target } = event
        // Of the menu within, it closes that alone.
        if (event.key !== 'Escape' || (target instanceof Element && target.closest('[role=dialog]'))) return
        event.stopPropagation()
        onClose()
      }}
    >
      <SheetControls
        frame={frame}
        title={title}
        name={entry.name}
        status={isWaiting ? 'Drawing…' : sheet ? statusOf(sheet) : ''}
        question={question}
        sorting={sorting}
        onSorting={setSorting}
        onQuestion={ask}
        onAgain={() => ask({ seed: 1 + Math.floor(Math.random() * HIGHEST_SEED) })}
        onClose={onClose}
      />
      {problem === '' ? null : <p className="p-4 text-sm">{problem}</p>}
      <div
        ref={grid}
        role="listbox"
        aria-label="Variations"
        aria-busy={isWaiting}
        aria-orientation="horizontal"
        onKeyDown={press}
        onPointerLeave={unhover}
        style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
        className="grid min-h-0 flex-1 auto-rows-max content-start gap-1.5 overflow-y-auto overscroll-contain p-3"
      >
        {sheet &&
          shown.map((variation) => (
            <Tile
              key={variation.index}
              id={tileId(title, variation)}
              label={labelOf(
                variation,
                sheet.variations[0]!,
                marked.indexOf(variation),
                keptKeys.has(variation.numbers.join()),
              )}
              streams={streamsOf(sheet, variation)}
              colors={colors}
              isCurrent={variation === current}
              isKept={keptKeys.has(variation.numbers.join())}
              mark={marked.includes(variation) ? marked.indexOf(variation) + 1 : undefined}
              note={cornerOf(variation, sheet.variations[0]!, question.parents.length, sorting)}
              world={pictures.isAlive(variation) ? world : undefined}
              picture={pictures.of(variation)}
              isWaiting={pictures.isWaiting(variation)}
              onPoint={point}
              onHover={hover}
              onOpen={open}
              onKeep={keep}
              onChoose={mark}
              onPicture={pictures.onPicture}
              variation={variation}
            />
          ))}
      </div>
      {sheet && current ? (
        <VariationBar
          variation={current}
          words={wordsOf(current, sheet.variations[0]!)}
          changes={changesOf(sheet.layout, current.numbers)}
          isKept={keptKeys.has(current.numbers.join())}
          isMarked={marked.includes(current)}
          marked={marked}
          isHeard={playing}
          onOpen={() => open(current)}
          onHear={() => hear(current)}
          onKeep={() => void keep(current)}
          onMoreLike={() => moreLike(current)}
          onMark={() => mark(current)}
          onBreed={breed}
        />
      ) : null}
    </section>
  )
}

function tileId(title: string, { index }: Variation): string {
  return `${title}-${index}`
}

function statusOf({ variations, dropped }: Sheet): string {
  const left = dropped === 0 ? '' : `, ${counted(dropped, 'draw')} that stopped or repeated left out`
  return `${counted(variations.length, 'variation')}${left}`
}

function labelOf(variation: Variation, than: Variation, mark: number, isKept: boolean): string {
  const words = [
    variation.index === 0 ? 'Your piece' : `Variation ${variation.index}`,
    ...wordsOf(variation, than),
    ...(mark === -1 ? [] : [`parent ${mark + 1}`]),
    ...(isKept ? ['kept'] : []),
  ]
  return words.join(', ')
}

/** Text on a picture: which one is the origin, else how it differs by what the sheet is sorted by. */
function cornerOf(variation: Variation, than: Variation, parents: number, sorting: Sorting): string {
  if (variation.index < Math.max(1, parents))
    return parents === 0 ? 'your piece' : `parent${parents === 2 ? ` ${variation.index + 1}` : ''}`
  return noteOf(variation, than, sorting)
}
