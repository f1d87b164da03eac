import { entryOf } from '#lib/studio/document/definition.ts'
import type { LibraryEntity } from '#lib/studio/document/parts.ts'
import type { StudioState } from '#lib/studio/document/store.ts'
import { type ConnectorEntry, DEFAULT_STEPS, type Entry, newId, tabKey } from '#lib/studio/document/types.ts'

/*
 * Texts that a model reads, as JSON. Names, bodies and comments may be a stranger's words, also in the person's own document:
 * they are marked as data, and no text in them can end the mark.
 */

const MAX_TEXT = 16_000
const MAX_SOURCE = 2_000

/** JSON of a value, marked as data. @param from Its source, in the studio's own words. */
export function dataBlock(from: string, value: unknown): string {
  const json = JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e')
  const text = json.length <= MAX_TEXT ? json : `${json.slice(0, MAX_TEXT)} (cut: ${json.length} characters)`
  return `<data from="${from}">${text}</data>`
}

/** The whole document, without ids and places. */
export function documentData({ document, view }: Pick<StudioState, 'document' | 'view'>): unknown {
  return {
    entries: document.entries.map((entry) => ({
      ...(view.active === tabKey({ kind: 'entry', entryId: entry.id }) && { inFront: true }),
      ...entryData(entry),
    })),
  }
}

function entryData(entry: Entry): object {
  const { kind, name, madeFrom } = entry
  const origin = madeFrom && { remixOf: madeFrom.name }
  if (entry.kind !== 'connector') return { kind, name, ...origin, source: entry.source.slice(0, MAX_SOURCE) }
  const { condition, sound, knobs, steps = DEFAULT_STEPS, staticRi } = entry
  return {
    kind,
    name,
    ...origin,
    steps,
    voices: entry.dimensions.map(({ calls, composite, bindings }) => ({
      calls: calls.map((call) => [call.name, ...call.args.map(numberOf)]),
      ...(composite !== '' && { select: composite }),
      ...(bindings.length > 0 && {
        slots: Object.fromEntries(bindings.map((each) => [each.slot, each.name])),
      }),
    })),
    ...(staticRi.length > 0 && {
      starts: staticRi.map(({ position, startPoint, transformationShift }) => ({
        position,
        start: numberOf(startPoint),
        shift: numberOf(transformationShift),
      })),
    }),
    ...(condition && { condition: [condition.name, ...condition.args.map(numberOf)] }),
    ...(sound && { sound }),
    ...(knobs && {
      knobs: knobs.map(({ name: label, min, max, target }) => ({
        label,
        min,
        max,
        on: targetOf(entry, target),
      })),
    }),
  }
}

type Target = NonNullable<ConnectorEntry['knobs']>[number]['target']

function targetOf({ dimensions }: ConnectorEntry, target: Target): object {
  if (target.kind !== 'call') return target
  const voice = dimensions.findIndex(({ calls }) => calls.some(({ id }) => id === target.callId))
  const call = dimensions[voice]?.calls.findIndex(({ id }) => id === target.callId) ?? -1
  return { voice, call, argument: target.index }
}

/** Number of a text that is typed; the text itself while it is not finished. */
function numberOf(text: string): number | string {
  return /^-?\d{1,10}$/.test(text) ? Number(text) : text
}

/** Something published, with its author's words. */
export function publishedData(entity: LibraryEntity): unknown {
  const { owner } = entity
  if (entity.kind !== 'connector') {
    const { kind, name, argsCount, source, description } = entity
    return { kind, name, owner, arguments: argsCount, description, source: source?.text.slice(0, MAX_SOURCE) }
  }
  return { ...entryData(entryOf(entity.definition, newId)), owner, ...entity.piece }
}
