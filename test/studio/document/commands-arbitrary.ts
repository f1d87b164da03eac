import fc from 'fast-check'
import { attachWorld, detachWorld, feedSlot, placeWorld } from '#lib/studio/document/attached-worlds.ts'
import {
  addCall,
  addDimension,
  bindSlot,
  moveCall,
  moveDimension,
  removeCall,
  removeDimension,
  removeRunningInstance,
  setArgument,
  setArguments,
  setComposite,
  setCondition,
  setName,
  setRunningInstance,
  unbindSlot,
} from '#lib/studio/document/commands/connector.ts'
import {
  addEntry,
  newCode,
  newConnector,
  renameEntry,
  renameEverywhere,
  setSource,
} from '#lib/studio/document/commands/entries.ts'
import { forgetPlaces, placeNodes } from '#lib/studio/document/commands/graph.ts'
import { putKnob, removeKnob, setNumber } from '#lib/studio/document/commands/knobs.ts'
import type { NumberTarget } from '#lib/studio/document/knob.ts'
import type { ConnectorEntry, StudioDocument } from '#lib/studio/document/types.ts'
import { connectorEntry } from './entries.ts'

export type Command = (document: StudioDocument) => StudioDocument

/** Names that collide, that are missing, that JavaScript itself uses, and that are no names. */
export const arbitraryName = fc.constantFrom('pitch', 'time', 'add', 'mul', '__proto__', 'toString', '', '1x')

/** Typical texts of a number field. */
export const arbitraryNumberText = fc.oneof(
  fc.nat({ max: 8 }).map(String),
  fc.constantFrom('', ' 7 ', '-1', '4294967295', '4294967296', '0x10', '1e3', 'twelve', '00'),
)

interface Dice {
  readonly pick: number
  readonly pick2: number
  readonly index: number
  readonly name: string
  readonly text: string
  readonly id: string
}

const dice: fc.Arbitrary<Dice> = fc.record({
  pick: fc.nat({ max: 20 }),
  pick2: fc.nat({ max: 20 }),
  index: fc.nat({ max: 4 }),
  name: arbitraryName,
  text: arbitraryNumberText,
  // Biased or shrunk, the same one would be drawn twice, which no studio does.
  id: fc.noShrink(fc.noBias(fc.uuid())),
})

/** Every command there is, aimed at nodes that exist wherever there are some. */
const COMMANDS: readonly ((document: StudioDocument, dice: Dice) => StudioDocument)[] = [
  (d, { id, name, index }) => addEntry(d, { entry: newConnector(id, name, `${id}-0`), at: index }),
  (d, { id, name }) => addEntry(d, { entry: newCode('transformation', id, name) }),
  (d, { id, name }) => addEntry(d, { entry: newCode('condition', id, name) }),
  (d, x) => renameEntry(d, { entryId: entryId(d, x.pick), name: x.name }),
  (d, x) => renameEverywhere(d, { entryId: entryId(d, x.pick), name: x.name }),
  (d, x) =>
    setSource(d, { entryId: entryId(d, x.pick), source: `return x + args[${x.index}]; // ${x.text}` }),
  (d, x) => addDimension(d, { entryId: connector(d, x).id, id: x.id, at: x.index }),
  (d, x) => addDimension(d, { entryId: connector(d, x).id, id: x.id }),
  (d, x) => removeDimension(d, dimension(d, x)),
  (d, x) => moveDimension(d, { ...dimension(d, x), to: x.index }),
  (d, x) => setComposite(d, { ...dimension(d, x), name: x.name }),
  (d, x) => bindSlot(d, { ...dimension(d, x), slot: x.index, name: x.name }),
  (d, x) => unbindSlot(d, { ...dimension(d, x), slot: x.index }),
  (d, x) => addCall(d, { ...dimension(d, x), id: x.id, name: x.name, args: [x.text], at: x.index }),
  (d, x) => removeCall(d, call(d, x)),
  (d, x) => moveCall(d, { ...call(d, x), to: x.index }),
  (d, x) => setName(d, call(d, x), x.name),
  (d, x) => setArgument(d, call(d, x), x.index, x.text),
  (d, x) => setArguments(d, call(d, x), [x.text]),
  (d, x) => setCondition(d, { entryId: connector(d, x).id, condition: null }),
  (d, x) => setCondition(d, { entryId: connector(d, x).id, condition: { name: x.name, args: [x.text] } }),
  (d, x) => setName(d, condition(d, x), x.name),
  (d, x) => setArgument(d, condition(d, x), x.index, x.text),
  (d, x) =>
    setRunningInstance(d, {
      entryId: connector(d, x).id,
      position: x.index,
      startPoint: x.text,
      transformationShift: '0',
    }),
  (d, x) => removeRunningInstance(d, { entryId: connector(d, x).id, position: x.index }),
  (d, x) => placeNodes(d, entryId(d, x.pick), new Map([[x.name, { x: x.pick, y: x.pick2 }]])),
  (d, x) => attachWorld(d, `entry/${entryId(d, x.pick)}`, `w${x.index}`),
  (d, x) => detachWorld(d, `entry/${entryId(d, x.pick)}`, `w${x.index}`),
  (d, x) => placeWorld(d, `entry/${entryId(d, x.pick)}`, `w${x.index}`, { x: x.pick, y: x.pick2 }),
  (d, x) =>
    feedSlot(d, `entry/${entryId(d, x.pick)}`, `w${x.index}`, { slot: `s${x.pick2}`, connector: x.name }),
  (d, x) => forgetPlaces(d, entryId(d, x.pick)),
  (d, x) => putKnob(d, connector(d, x).id, { name: x.name, target: target(d, x), min: x.pick, max: 21 }),
  (d, x) => removeKnob(d, { entryId: connector(d, x).id, target: target(d, x) }),
  (d, x) => setNumber(d, { entryId: connector(d, x).id, target: target(d, x) }, x.text, x.pick % 2 === 0),
]

export const arbitraryCommand: fc.Arbitrary<Command> = fc
  .tuple(fc.nat({ max: COMMANDS.length - 1 }), dice)
  .map(([which, thrown]) =>
    Object.assign((d: StudioDocument) => COMMANDS[which]!(d, thrown), {
      toString: () => `command ${which} ${JSON.stringify(thrown)}`,
    }),
  )

/** A document that a sequence of commands made of nothing. */
export const arbitraryDocument: fc.Arbitrary<StudioDocument> = fc
  .array(arbitraryCommand, { maxLength: 60 })
  .map((commands) => commands.reduce((document, command) => command(document), SEED))

const SEED: StudioDocument = {
  entries: [newConnector('c0', 'pitch', 'c0-0'), newCode('transformation', 't0', 'add')],
  places: [],
}

function entryId(document: StudioDocument, pick: number): string {
  return document.entries[pick % Math.max(1, document.entries.length)]?.id ?? 'none'
}

const NO_CONNECTOR = connectorEntry('none', '')

function connector(document: StudioDocument, { pick }: Dice): ConnectorEntry {
  const connectors = document.entries.filter((entry) => entry.kind === 'connector')
  return connectors[pick % Math.max(1, connectors.length)] ?? NO_CONNECTOR
}

function dimension(document: StudioDocument, thrown: Dice) {
  const { id, dimensions } = connector(document, thrown)
  const found = dimensions[thrown.pick2 % Math.max(1, dimensions.length)]
  return { entryId: id, dimensionId: found?.id ?? 'none' }
}

function call(document: StudioDocument, thrown: Dice) {
  const where = dimension(document, thrown)
  const calls = connector(document, thrown).dimensions.find(({ id }) => id === where.dimensionId)?.calls ?? []
  return {
    kind: 'call' as const,
    ...where,
    callId: calls[thrown.index % Math.max(1, calls.length)]?.id ?? 'none',
  }
}

function target(document: StudioDocument, thrown: Dice): NumberTarget {
  const { pick, pick2, index } = thrown
  if (pick2 % 4 === 0) return { kind: 'condition', index }
  if (pick2 % 4 === 1) return { kind: pick % 2 === 0 ? 'start' : 'shift', position: index }
  return { kind: 'call', callId: call(document, thrown).callId, index }
}

function condition(document: StudioDocument, thrown: Dice) {
  return { kind: 'condition' as const, entryId: connector(document, thrown).id }
}
