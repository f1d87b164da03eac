import { INT32, readNumber, UINT32 } from '#lib/browser/typed-number.ts'
import type { History } from '../history.ts'
import { type Knob, MAX_KNOBS, type NumberTarget, targetKey } from '../knob.ts'
import type { ConnectorEntry, DraftDimension, Id, StudioDocument } from '../types.ts'
import { removeRunningInstance, setArgument, setRunningInstance } from './connector.ts'
import { changeConnector, withKnobs, without } from './helpers.ts'

/** A number of the document. */
export interface NumberRef {
  readonly entryId: Id
  readonly target: NumberTarget
}

/** Range of the registry for a number. */
export function limitsOf({ kind }: NumberTarget): { readonly min: number; readonly max: number } {
  return kind === 'condition' ? INT32 : UINT32
}

/** The text of a number; empty where none is set, undefined where its call or condition is gone. */
export function numberText(entry: ConnectorEntry, target: NumberTarget): string | undefined {
  switch (target.kind) {
    case 'call':
      return dimensionOf(entry, target.callId)?.calls.find(({ id }) => id === target.callId)?.args[
        target.index
      ]
    case 'condition':
      return entry.condition?.args[target.index]
    default: {
      const instance = entry.staticRi.find(({ position }) => position === target.position)
      const { startPoint = '', transformationShift = '' } = instance ?? {}
      return target.kind === 'start' ? startPoint : transformationShift
    }
  }
}

/** The earliest text of a number in a history that is one: what a reset brings back. */
export function firstNumber({ past, present }: History, { entryId, target }: NumberRef): string | undefined {
  for (const { entries } of [...past.map(({ before }) => before), present]) {
    const entry = entries.find(({ id }) => id === entryId)
    const text = entry?.kind === 'connector' ? numberText(entry, target) : undefined
    if (text !== undefined && readNumber(text, limitsOf(target)).ok) return text
  }
  return undefined
}

/**
 * Sets the text of a number; it is not validated here.
 *
 * @param free Whether an empty start removes the running instance of its position.
 */
export function setNumber(
  document: StudioDocument,
  { entryId, target }: NumberRef,
  text: string,
  free = false,
): StudioDocument {
  const entry = document.entries.find(({ id }) => id === entryId)
  if (entry?.kind !== 'connector') return document
  switch (target.kind) {
    case 'call': {
      const { callId, index } = target
      const dimensionId = dimensionOf(entry, callId)?.id
      if (dimensionId === undefined) return document
      return setArgument(document, { kind: 'call', entryId, dimensionId, callId }, index, text)
    }
    case 'condition':
      return setArgument(document, { kind: 'condition', entryId }, target.index, text)
    default: {
      const { position } = target
      const before = entry.staticRi.find((instance) => instance.position === position)
      const next = {
        ...(before ?? { position, startPoint: '0', transformationShift: '0' }),
        [target.kind === 'start' ? 'startPoint' : 'transformationShift']: text,
      }
      const { startPoint, transformationShift } = next
      const cleared = startPoint === '' && (transformationShift === '' || transformationShift === '0')
      return free && cleared
        ? removeRunningInstance(document, { entryId, position })
        : setRunningInstance(document, { entryId, ...next })
    }
  }
}

/** Makes a number a knob, or changes the knob that it is. */
export function putKnob(document: StudioDocument, entryId: Id, knob: Knob): StudioDocument {
  return changeConnector(document, entryId, (entry) => {
    const knobs = entry.knobs ?? NONE
    const key = targetKey(knob.target)
    if (knobs.some(({ target }) => targetKey(target) === key)) {
      return { ...entry, knobs: knobs.map((each) => (targetKey(each.target) === key ? knob : each)) }
    }
    return knobs.length >= MAX_KNOBS ? entry : { ...entry, knobs: [...knobs, knob] }
  })
}

export function removeKnob(document: StudioDocument, { entryId, target }: NumberRef): StudioDocument {
  return changeConnector(document, entryId, (entry) => {
    const rest = without(entry.knobs ?? NONE, (knob) => targetKey(knob.target) === targetKey(target))
    return rest === (entry.knobs ?? NONE) ? entry : withKnobs(entry, rest)
  })
}

/** Sets several numbers at once, as one change. */
export function setNumbers(
  document: StudioDocument,
  values: readonly (NumberRef & { readonly text: string })[],
): StudioDocument {
  return values.reduce((changed, { text, ...at }) => setNumber(changed, at, text), document)
}

/** The knob of a number; undefined for a number that is none. */
export function knobAt({ knobs = NONE }: ConnectorEntry, target: NumberTarget): Knob | undefined {
  const key = targetKey(target)
  return knobs.find((knob) => targetKey(knob.target) === key)
}

const NONE: readonly Knob[] = []

function dimensionOf({ dimensions }: ConnectorEntry, callId: Id): DraftDimension | undefined {
  return dimensions.find(({ calls }) => calls.some(({ id }) => id === callId))
}
