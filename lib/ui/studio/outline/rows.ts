import type { ArrangedPath, Arrangement } from '#lib/engine/sound/arrangement.ts'
import { isTuned, partOf, REST } from '#lib/engine/sound/notes.ts'
import type { Instrument } from '#lib/engine/sound/settings.ts'
import type { StartLine } from '#lib/protocol/running-instance.ts'
import { knobAt } from '#lib/studio/document/commands/knobs.ts'
import type { Knob, NumberTarget } from '#lib/studio/document/knob.ts'
import { memoizeByObject } from '#lib/studio/document/memoize.ts'
import { type NodeRef, refKey } from '#lib/studio/document/node-ref.ts'
import {
  type HeldPhrase,
  type Phrase,
  phrasesOf,
  returnsLevel,
  signOf,
} from '#lib/studio/document/notation.ts'
import { argsCountOfPart, MAX_ARGUMENT_FIELDS, type Parts } from '#lib/studio/document/parts.ts'
import type { Problem } from '#lib/studio/document/problem.ts'
import { type ShapeOfName, type Slot, slotsOf } from '#lib/studio/document/slots.ts'
import type { ConnectorEntry, DraftCondition, DraftDimension, Id } from '#lib/studio/document/types.ts'
import { phraseIn, sourceOf } from '../common/explain-number.ts'

/** Form of a connector's calls: in rows with what they share written once, or one in each line. */
export type Form = 'score' | 'list'

interface RowBase {
  readonly at: NodeRef
  /** Unique in an outline; `refKey(at)` where the row is one node. */
  readonly key: string
  /** From 1. */
  readonly level: number
  readonly problems: readonly Problem[]
}

/** A line of the outline, with all that it shows: equal rows are drawn alike. */
export type Row = RowBase & RowContent

export type PhraseRow = Extract<Row, { kind: 'phrase' }>
export type VoiceRow = Extract<Row, { kind: 'dimension' }>
export type SlotsRow = Extract<Row, { kind: 'slots' }>

/** The start of a connector's own dimension. */
export interface Start {
  readonly position: number
  readonly startPoint: string
  readonly shift: string
  /** Values that a run begins with where nothing is set. */
  readonly otherwise: { readonly startPoint: number; readonly transformationShift: number }
  /** Set by a part, which cannot be changed here. */
  readonly locked: boolean
  /** Knobs of start and shift. */
  readonly knobs: readonly [start: Knob | undefined, shift: Knob | undefined]
  readonly wrong: readonly [start: boolean, shift: boolean]
}

/** One turn of a rhythm: the number of each step, and whether it is heard. */
export type Beat = readonly { readonly value: number; readonly on: boolean }[]

/** Arguments of a function, as far as they are known. */
interface Function {
  /** Number of arguments that it takes; undefined while that is not known. */
  readonly takes: number | undefined
  /** Fields for arguments. */
  readonly fields: number
  /** By argument: its name, where it is known, and what stands before its number. */
  readonly args: readonly { readonly name: string | undefined; readonly sign: string | undefined }[]
}

type RowContent =
  | {
      readonly kind: 'dimension'
      readonly index: number
      /** Id of the dimension. */
      readonly id: Id
      readonly open: boolean
      /** Its calls in one line, for when it is closed. */
      readonly summary: string
      /** Connector that it plays; empty for none. */
      readonly composite: string
      /** `soundKey` of its paths. */
      readonly paths: readonly string[]
      /** Instrument of its only path; undefined where it has several, or has not run. */
      readonly instrument: Instrument | undefined
      readonly muted: boolean
    }
  | ({
      readonly kind: 'phrase'
      readonly index: number
      /** Calls of its dimension. */
      readonly of: number
      readonly fn: Function
      /** By call: a knob or nothing for each field. */
      readonly knobs: readonly (readonly (Knob | undefined)[])[]
      /** By call. */
      readonly callProblems: readonly (readonly Problem[])[]
      /** Where the row begins with the start of its dimension. */
      readonly start: Start | undefined
      /** Where one function makes the whole rhythm of the dimension. */
      readonly beat: Beat | undefined
    } & Phrase)
  | { readonly kind: 'start'; readonly index: number; readonly start: Start }
  | { readonly kind: 'composite'; readonly index: number; readonly name: string }
  | ({ readonly kind: 'slot'; readonly index: number } & Slot)
  /** Slots that nothing fills, folded into one line. */
  | { readonly kind: 'slots'; readonly index: number; readonly count: number; readonly voice: string }
  | {
      readonly kind: 'condition'
      readonly condition: DraftCondition
      readonly fn: Function
      readonly knobs: readonly (Knob | undefined)[]
    }

/** Sources of an outline besides its connector. */
interface Known {
  readonly form: Form
  readonly shapeOf: ShapeOfName
  readonly parts: Parts
  /** By `refKey`. */
  readonly problemsAt: ReadonlyMap<string, readonly Problem[]>
  /** Start positions of the connector; undefined while its parts are not known. */
  readonly starts: readonly StartLine[] | undefined
  /** Arrangement of the newest run. */
  readonly arrangement: Pick<Arrangement, 'paths'> | undefined
  /** Keys of dimensions whose lines are hidden. */
  readonly closed: ReadonlySet<string>
  /** Keys of dimensions whose open slots have a line each, in a score. */
  readonly expanded: ReadonlySet<string>
  readonly held: HeldPhrase | undefined
  /** A dimension with more calls than are shown: its last call does not lead back to its start. */
  readonly cut?: Id | undefined
}

const NO_PROBLEMS: readonly Problem[] = []

/**
 * The lines of a connector from top to bottom. Under a dimension: its phrases, what it leads to, and a line a slot of
 * that.
 */
export function rowsOf(entry: ConnectorEntry, known: Known): Row[] {
  const { form, shapeOf, parts, problemsAt, closed, expanded, held } = known
  const rows: Row[] = []
  const problemsOf = (at: NodeRef) => problemsAt.get(refKey(at)) ?? NO_PROBLEMS
  const startOf = ownStarts(entry, known.starts, problemsOf)
  const isLevel = (name: string) => returnsLevel(sourceIn(parts, name))

  entry.dimensions.forEach((dimension, index) => {
    const where = { entryId: entry.id, dimensionId: dimension.id }
    const at = { kind: 'dimension', ...where } as const
    const open = !closed.has(refKey(at))
    const { calls, composite } = dimension
    rows.push({
      ...{ kind: 'dimension', at, key: refKey(at), level: 1, problems: problemsOf(at) },
      ...{ index, id: dimension.id, open, summary: summaryOf(dimension), composite },
      ...voiceOf(entry, index, known.arrangement),
    })
    if (!open) return
    const start = startOf[index]
    const startRef = { kind: 'running-instance', entryId: entry.id, position: start?.position ?? -1 } as const
    if (start !== undefined && (form === 'list' || calls.length === 0)) {
      const problems = problemsOf(startRef)
      rows.push({ kind: 'start', at: startRef, key: refKey(startRef), level: 2, problems, index, start })
    }
    const isWhole = known.cut !== dimension.id
    const firm = isWhole && Number(start?.shift ?? 0) === 0 ? start?.startPoint : undefined
    const phrases =
      form === 'score'
        ? phrasesOf(calls, isLevel, firm, held)
        : calls.map(
            (call, from): Phrase => ({ calls: [call], from, shared: [], look: 'numbers', tied: false }),
          )
    for (const phrase of phrases) {
      const [first] = phrase.calls
      if (first === undefined) continue
      const refs = phrase.calls.map(({ id }) => ({ kind: 'call', ...where, callId: id }) as const)
      const callProblems = refs.map(problemsOf)
      const key = refKey(refs[0]!)
      const fn = functionOf(
        parts,
        'transformation',
        first.name,
        Math.max(...phrase.calls.map((call) => call.args.length)),
      )
      const begins = form === 'score' && phrase.from === 0
      rows.push({
        ...{ kind: 'phrase', at: refs[0]!, key: phrase.calls.length > 1 ? `phrase ${key}` : key, level: 2 },
        problems:
          begins && start !== undefined
            ? [...problemsOf(startRef), ...callProblems.flat()]
            : callProblems.flat(),
        ...phrase,
        ...{ index, of: calls.length, fn, callProblems },
        knobs: phrase.calls.map(({ id }) =>
          knobsAt(entry, fn.fields, (at) => ({ kind: 'call', callId: id, index: at })),
        ),
        start: begins ? start : undefined,
        beat:
          form === 'score' && isWhole && calls.length === 1 && composite === ''
            ? beatOf(index, known.arrangement)
            : undefined,
      })
    }
    const leads = { kind: 'composite', ...where } as const
    const problems = problemsOf(leads)
    rows.push({
      kind: 'composite',
      at: leads,
      key: refKey(leads),
      level: 2,
      problems,
      index,
      name: composite,
    })
    const filled = dimension.bindings.filter(({ slot }) => slot < MAX_SLOTS_SHOWN).length
    const { slots, left } = slotsOf(dimension, shapeOf, () => MAX_SLOTS_SHOWN - filled)
    const folds = form === 'score' && !expanded.has(refKey(at))
    for (const slot of slots) {
      if (folds && slot.binding === undefined) continue
      const at = { kind: 'binding', ...where, slot: slot.slot } as const
      rows.push({ kind: 'slot', at, key: refKey(at), level: 3, problems: problemsOf(at), index, ...slot })
    }
    const unfilled = slots.filter(({ binding }) => binding === undefined)
    const [next] = unfilled
    if (folds && next !== undefined) {
      const first = { kind: 'binding', ...where, slot: next.slot } as const
      rows.push({
        ...{ kind: 'slots', at: first, key: `slots ${refKey(at)}`, level: 3, problems: NO_PROBLEMS },
        ...{ index, voice: refKey(at), count: left + unfilled.length },
      })
    }
  })
  const { condition } = entry
  if (condition !== null) {
    const at = { kind: 'condition', entryId: entry.id } as const
    const fn = functionOf(parts, 'condition', condition.name, condition.args.length)
    const knobs = knobsAt(entry, fn.fields, (index) => ({ kind: 'condition', index }))
    rows.push({
      kind: 'condition',
      at,
      key: refKey(at),
      level: 1,
      problems: problemsOf(at),
      condition,
      fn,
      knobs,
    })
  }
  return rows
}

/**
 * The first voices and steps of a connector, how many lines are left out, and the voice that goes on behind them: what is
 * published may have thousands.
 *
 * @param most Voices and steps that are kept.
 */
export function firstLines(
  entry: ConnectorEntry,
  most: number,
): { readonly entry: ConnectorEntry; readonly hidden: number; readonly cut?: Id | undefined } {
  const all = entry.dimensions.reduce((sum, { calls }) => sum + 1 + calls.length, 0)
  if (all <= most) return { entry, hidden: 0 }
  const dimensions: DraftDimension[] = []
  let room = most
  let cut: Id | undefined
  for (const dimension of entry.dimensions) {
    if (room <= 0) break
    const calls = dimension.calls.slice(0, room - 1)
    room -= 1 + calls.length
    if (calls.length < dimension.calls.length) cut = dimension.id
    dimensions.push({ ...dimension, calls })
  }
  return { entry: { ...entry, dimensions }, hidden: all - most, cut }
}

/** Number of the line of a step or voice, from 1, as `firstLines` counts them; undefined for other nodes. */
export function lineOf({ dimensions }: ConnectorEntry, at: NodeRef): number | undefined {
  let line = 0
  for (const { id, calls } of dimensions) {
    line += 1
    if ('dimensionId' in at && at.dimensionId === id) {
      return at.kind === 'call' ? line + 1 + calls.findIndex((call) => call.id === at.callId) : line
    }
    line += calls.length
  }
  return undefined
}

function summaryOf({ calls, composite }: DraftDimension): string {
  const names = calls.slice(0, MAX_SUMMARY).map(({ name }) => name || '…')
  const chain = [...names, ...(calls.length > MAX_SUMMARY ? ['…'] : [])].join(' → ')
  return `${chain || 'stays at its start'}${composite === '' ? '' : ` ⇢ ${composite}`}`
}

/** Steps in one line. */
const MAX_SUMMARY = 64

/** Slots listed for one composite; beyond these only the filled ones are. */
const MAX_SLOTS_SHOWN = 64

function knobsAt(entry: ConnectorEntry, fields: number, target: (index: number) => NumberTarget) {
  return Array.from({ length: fields }, (_, index) => knobAt(entry, target(index)))
}

function functionOf(
  parts: Parts,
  kind: 'transformation' | 'condition',
  name: string,
  argCount: number,
): Function {
  const takes = name === '' ? undefined : argsCountOfPart(parts.find(kind, name))
  const fields = Math.min(Math.max(argCount, takes ?? 0), MAX_ARGUMENT_FIELDS)
  const phrase = kind === 'transformation' ? phraseIn(parts, name) : undefined
  const source = kind === 'transformation' ? (phrase?.source ?? sourceIn(parts, name)) : undefined
  const args = Array.from({ length: fields }, (_, index) => ({
    name: phrase?.args[index]?.name,
    sign: signOf(source, index) ?? phrase?.args[index]?.name,
  }))
  return { takes, fields, args }
}

function sourceIn(parts: Parts, name: string): string | undefined {
  if (name === '') return undefined
  return sourceOf(parts.find('transformation', name)) ?? phraseIn(parts, name)?.source
}

function ownStarts(
  entry: ConnectorEntry,
  lines: readonly StartLine[] | undefined,
  problemsOf: (at: NodeRef) => readonly Problem[],
): readonly (Start | undefined)[] {
  const own = lines?.filter(({ position, depth }) => position > 0 && depth === 0)
  const parted = entry.dimensions.findIndex(({ composite }) => composite !== '')
  return entry.dimensions.map((_, index): Start | undefined => {
    const line = own?.[index]
    // Up to the first part, positions are known without it.
    const counted = own === undefined && (parted < 0 || index <= parted) ? index + 1 : undefined
    const position = line?.position ?? counted
    if (position === undefined) return undefined
    const instance = entry.staticRi.find((each) => each.position === position)
    const at = { kind: 'running-instance', entryId: entry.id, position } as const
    const wrong = (field: 'startPoint' | 'transformationShift') =>
      problemsOf(at).some((problem) => problem.field?.name === field)
    return {
      position,
      startPoint: instance?.startPoint ?? '',
      shift: instance?.transformationShift ?? '',
      otherwise: line?.otherwise ?? { startPoint: 0, transformationShift: 0 },
      locked: instance === undefined && line?.locked === true,
      knobs: [knobAt(entry, { kind: 'start', position }), knobAt(entry, { kind: 'shift', position })],
      wrong: [wrong('startPoint'), wrong('transformationShift')],
    }
  })
}

/** Longer turns are no rhythm that is read. */
const LONGEST_BEAT = 32
/** Short turns are repeated up to this many steps, a bar. */
const BAR = 16
/** Steps that decide what of a rhythm is loud. */
const STEPS_HEARD = 256

/** One turn of what a single function makes: the next number follows from the last, so an equal one begins it again. */
function beatOf(index: number, arrangement: Known['arrangement']): Beat | undefined {
  const path = arrangement?.paths.find(({ key }) => key === String(index))
  if (path === undefined || path.instrument === 'silent' || isTuned(path.instrument)) return undefined
  const turn = path.data.indexOf(path.data[0] ?? 0, 1)
  if (turn < 2 || turn > LONGEST_BEAT) return undefined
  const notes = notesOf(path)
  const length = turn * Math.max(1, Math.floor(BAR / turn))
  return path.data.slice(0, length).map((value, step) => ({ value, on: notes[step] !== REST }))
}

const notesOf = memoizeByObject((path: ArrangedPath) => partOf(path.data.slice(0, STEPS_HEARD), path).notes)

/** Whether a path, by its `soundKey`, is of a dimension. */
export function isOn(key: string, index: number): boolean {
  return key === String(index) || key.startsWith(`${index}/`)
}

/** The sound of a dimension: as its author chose it, else as it is heard. */
function voiceOf({ sound }: ConnectorEntry, index: number, arrangement: Known['arrangement']) {
  const arrangedPaths = arrangement?.paths.filter(({ key }) => isOn(key, index)) ?? []
  const chosen = sound?.paths?.filter(({ path }) => isOn(path, index)) ?? []
  const paths =
    arrangedPaths.length > 0 ? arrangedPaths.map(({ key }) => key) : chosen.map(({ path }) => path)
  const settings = paths.map((path) => ({
    ...{
      instrument: arrangedPaths.find(({ key }) => key === path)?.instrument,
      muted: arrangedPaths.find(({ key }) => key === path)?.muted,
    },
    ...chosen.find((each) => each.path === path),
  }))
  return {
    paths,
    instrument: settings.length === 1 ? settings[0]?.instrument : undefined,
    muted:
      settings.length > 0 &&
      settings.every(({ muted, instrument }) => muted === true || instrument === 'silent'),
  }
}
