import { plainNumber, readNumber, UINT32 } from '#lib/browser/typed-number.ts'
import type { ConnectorSound } from '#lib/engine/sound/settings.ts'
import type { Address, EntityKind } from '#lib/protocol/entity.ts'
import type { Presentation } from '#lib/protocol/presentation.ts'
import { partWith } from '../document/adopt.ts'
import { limitsOf, numberText, putKnob } from '../document/commands/knobs.ts'
import { entryOf } from '../document/definition.ts'
import { guessedRange, type Knob, type NumberTarget, targetKey } from '../document/knob.ts'
import { referencesOf } from '../document/node-ref.ts'
import type { LibraryConnector, LibraryEntity } from '../document/parts.ts'
import { type ConnectorEntry, type Id, newId, type StudioDocument, tabKey } from '../document/types.ts'
import { draftHref } from '../keep/link.ts'
import { phraseOf } from '../library/phrase-book.ts'
import type { EntryKnob } from '../piece/presentation-of.ts'
import { presentedKnobs } from '../piece/presented.ts'

/** A published connector as a document of the studio, with its author's knobs or guessed ones. */
export interface LiveDocument {
  readonly document: StudioDocument
  readonly root: ConnectorEntry
  /** Where it is on chain; undefined for a draft. */
  readonly address: Address | undefined
  /** Presentation by its author; absent while that is guessed. */
  readonly present?: Presentation | undefined
}

/** A knob with the entry that has it. */
export interface LiveKnob {
  readonly entryId: Id
  readonly knob: Knob
  /** Undefined while the text is no number. */
  readonly value: number | undefined
}

type Read = (
  names: readonly { readonly kind: EntityKind; readonly name: string }[],
) => Promise<readonly LibraryEntity[]>

/** Connectors that are read, and levels below the first: a tree may have thousands. */
const MAX_READ = 24
const MAX_LEVELS = 3
const MAX_GUESSED = 3
/** A larger number is a constant of its body rather than something to turn. */
const LARGEST_TURNED = 100_000

/**
 * Reads a published connector and what it is made of, as far as its knobs may be in there.
 *
 * @returns undefined where there is no such connector.
 * @throws {Error} while the server cannot be reached.
 */
export async function readLive(name: string, read: Read): Promise<LiveDocument | undefined> {
  const connectors = new Map<string, LibraryConnector>()
  let names = [name]
  for (let level = 0; level <= MAX_LEVELS && names.length > 0; level++) {
    const entities = await read(names.map((each) => ({ kind: 'connector', name: each })))
    // In the order of the tree, not of the answer: links name the knobs that are found first.
    for (const each of names) {
      const entity = entities.find(({ kind, name: of }) => kind === 'connector' && of === each)
      if (entity?.kind === 'connector') connectors.set(each, entity)
    }
    const below = names.flatMap((each) => compositesOf(connectors.get(each)))
    names = [...new Set(below)].filter((each) => !connectors.has(each)).slice(0, MAX_READ - connectors.size)
  }
  const first = connectors.get(name)
  return first && liveDocument(first, connectors)
}

/** @param parts Connectors by name, those nearest to the first one first. */
export function liveDocument(
  first: LibraryConnector,
  parts: ReadonlyMap<string, LibraryConnector>,
): LiveDocument {
  const entries = new Map([...parts.values()].map((each) => [each.name, remixOf(each)]))
  const present = first.piece?.present
  const chosen = present?.knobs
    ? presentedKnobs(present.knobs, first.name, entries)
    : chooseNumbers([...entries.values()])
  const used = new Set<string>([first.name])
  // A part has to be in the document to be changed, and so does all that leads to it.
  for (const { entry } of chosen) for (const name of wayTo(first.name, entry.name, entries)) used.add(name)
  let document: StudioDocument = {
    entries: [...entries.values()].filter(({ name }) => used.has(name)),
    places: [],
  }
  for (const { entry, knob } of chosen) document = putKnob(document, entry.id, knob)
  return { document, root: rootOf(document, first.name), address: first.address, present }
}

export function rootOf({ entries }: StudioDocument, name: string): ConnectorEntry {
  const root = entries.find((entry) => entry.kind === 'connector' && entry.name === name)
  if (root?.kind !== 'connector') throw new Error(`The document lost ${name}`)
  return root
}

/** The knobs of a document with their values. */
export function knobsOf({ entries }: StudioDocument): readonly LiveKnob[] {
  return entries.flatMap((entry) => {
    if (entry.kind !== 'connector') return []
    return (entry.knobs ?? []).map((knob) => {
      // A start that is not set is 0.
      const text = numberText(entry, knob.target) || (knob.target.kind === 'start' ? '0' : '')
      const read = readNumber(text, limitsOf(knob.target))
      return { entryId: entry.id, knob, value: read.ok ? read.value : undefined }
    })
  })
}

/**
 * Address of the studio that opens what is played as a draft.
 *
 * @param world Id of the World that draws it.
 */
export async function keepHref(
  { document, root, present }: LiveDocument,
  sound: ConnectorSound,
  world: string | undefined,
): Promise<string> {
  const of = tabKey({ kind: 'entry', entryId: root.id })
  const isChosen = Object.keys(sound).length > 0
  const steps = present?.particles
  const shown = { ...root, ...(isChosen && { sound }), ...(steps !== undefined && { steps }) }
  const playedDocument: StudioDocument = {
    ...document,
    entries: document.entries.map((entry) => (entry.id === root.id ? shown : entry)),
    ...(world !== undefined && { worlds: [{ of, world }] }),
  }
  return draftHref(partWith(playedDocument, root.id))
}

function remixOf({ kind, name, owner, address, contentHash, definition }: LibraryConnector): ConnectorEntry {
  const madeFrom = { kind, name, owner, contentHash }
  return { ...entryOf(definition, newId), ...(address !== undefined && { madeFrom }) }
}

function compositesOf(connector: LibraryConnector | undefined): readonly string[] {
  return (connector?.definition.dimensions ?? []).flatMap(({ composite, bindings }) =>
    composite === '' ? [] : [composite, ...bindings.map(({ name }) => name)],
  )
}

/** Names from one connector down to another, both included. */
function wayTo(from: string, to: string, entries: ReadonlyMap<string, ConnectorEntry>): readonly string[] {
  const above = new Map<string, string>()
  const queue = [from]
  for (const name of queue) {
    const entry = entries.get(name)
    for (const { kind, name: below } of entry ? referencesOf(entry) : []) {
      if (kind !== 'connector' || below === from || above.has(below)) continue
      above.set(below, name)
      queue.push(below)
    }
  }
  const way = [to]
  for (let at = above.get(to); at !== undefined; at = above.get(at)) way.push(at)
  return way
}

interface Candidate {
  readonly entry: ConnectorEntry
  readonly target: NumberTarget
  readonly name: string
  readonly value: number
  readonly range: { readonly min: number; readonly max: number }
  readonly rank: number
}

/** At most one number of each dimension before a second one of any, those of the first connectors first. */
function chooseNumbers(entries: readonly ConnectorEntry[]): readonly EntryKnob[] {
  const groups = [
    ...entries.flatMap((entry) =>
      entry.dimensions.map((dimension, index) =>
        argumentsOf(entry, dimension.calls, dimension.composite || filledBy(entry, index, entries)),
      ),
    ),
    ...entries.slice(0, 1).map(startsOf),
  ].map((group) => group.toSorted((one, other) => other.rank - one.rank))
  const chosen: Candidate[] = []
  const longest = Math.max(0, ...groups.map((group) => group.length))
  for (let place = 0; place < longest && chosen.length < MAX_GUESSED; place++) {
    for (const group of groups) {
      const candidate = group[place]
      if (candidate !== undefined && chosen.length < MAX_GUESSED) chosen.push(candidate)
    }
  }
  const counts = new Map<string, number>()
  return chosen.map(({ entry, target, name, range }) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return { entry, knob: { name: count === 1 ? name : `${name} ${count}`, target, ...range } }
  })
}

/** Target of a plain dimension of a part: the connector that fills its slot, else the part; undefined for the first one. */
function filledBy(
  { name, dimensions }: ConnectorEntry,
  index: number,
  entries: readonly ConnectorEntry[],
): string | undefined {
  const uses = entries.flatMap((entry) => entry.dimensions.filter(({ composite }) => composite === name))
  const slot = dimensions.every(({ composite }) => composite === '') ? index : undefined
  const bound = uses.flatMap(({ bindings }) => bindings).find((each) => each.slot === slot)
  return bound?.name ?? (name === entries[0]?.name ? undefined : name)
}

/** @param moved What the calls move, in words; undefined for the names of the calls. */
function argumentsOf(
  entry: ConnectorEntry,
  calls: ConnectorEntry['dimensions'][number]['calls'],
  moved: string | undefined,
): readonly Candidate[] {
  const seen = new Set<string>()
  return calls.flatMap(({ id: callId, name, args }) => {
    const phrase = phraseOf(name)
    const known = phrase?.args.length === args.length ? phrase.args : undefined
    return args.flatMap((text, index): Candidate[] => {
      const value = Number(plainNumber(text))
      const argument = known?.[index]
      const subject = argument && moved ? moved : name
      const title = `${subject.replaceAll('_', ' ')} ${argument?.name ?? ''}`.trim()
      // The second call of the same transformation turns much the same.
      const rank = (value > 0 ? 2 : 0) + (argument ? 1 : 0) - (seen.has(`${name} ${index}`) ? 4 : 0)
      if (!(value <= LARGEST_TURNED)) return []
      seen.add(`${name} ${index}`)
      const range = argument
        ? { min: Math.min(argument.min, value), max: Math.max(argument.max, value) }
        : guessedRange(value, UINT32)
      return [{ entry, target: { kind: 'call', callId, index }, name: title, value, range, rank }]
    })
  })
}

/** Starts that the connector sets; one that sets none and has only plain dimensions may get some. */
function startsOf(entry: ConnectorEntry): readonly Candidate[] {
  const isPlain = entry.dimensions.every(({ composite }) => composite === '')
  const set = entry.staticRi.map(({ position, startPoint }) => ({ position, value: Number(startPoint) }))
  const free = isPlain ? entry.dimensions.map((_, index) => ({ position: index + 1, value: 0 })) : []
  const known = new Set(set.map(({ position }) => position))
  return [...set, ...free.filter(({ position }) => !known.has(position))]
    .filter(({ position, value }) => position > 0 && value <= LARGEST_TURNED)
    .map(({ position, value }) => ({
      entry,
      target: { kind: 'start', position },
      name: `start ${position}`,
      value,
      range: guessedRange(value, UINT32),
      rank: value > 0 ? 1 : 0,
    }))
}

/** Names a knob among all of a document. */
export function liveKnobKey({ entryId, knob }: LiveKnob): string {
  return `${entryId}/${targetKey(knob.target)}`
}
