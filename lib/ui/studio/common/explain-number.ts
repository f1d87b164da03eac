import type { NumberTarget } from '#lib/studio/document/knob.ts'
import type { Part, Parts } from '#lib/studio/document/parts.ts'
import type { ConnectorEntry } from '#lib/studio/document/types.ts'
import { type Phrase, phraseOf } from '#lib/studio/library/phrase-book.ts'

/** The phrase that a name stands for; undefined where it is an entry of the document, which may be anything. */
export function phraseIn(parts: Parts, name: string): Phrase | undefined {
  const phrase = phraseOf(name)
  if (phrase === undefined) return undefined
  const part = parts.find('transformation', name)
  if (part === 'absent') return undefined
  if (typeof part === 'object' && part.from === 'document') {
    return part.entry.kind === 'transformation' && part.entry.source === phrase.source ? phrase : undefined
  }
  return phrase
}

/** A short name for a knob of a number: `by`, else `climb 2`. */
export function nameOfNumber(parts: Parts, entry: ConnectorEntry, target: NumberTarget): string {
  switch (target.kind) {
    case 'call': {
      const { name } = callOf(entry, target.callId)
      const argument = phraseIn(parts, name)?.args[target.index]
      return argument === undefined ? `${name || 'number'} ${target.index + 1}` : `${name} ${argument.name}`
    }
    case 'condition':
      return `${entry.condition?.name || 'gate'} ${target.index + 1}`
    case 'start':
      return target.position === 0 ? 'index' : `start ${target.position}`
    case 'shift':
      return `shift ${target.position}`
  }
}

/** Explanation of a number, in one or two sentences. */
export function explainNumber(parts: Parts, entry: ConnectorEntry, target: NumberTarget): string {
  switch (target.kind) {
    case 'start':
      return target.position === 0
        ? 'Where the run begins to count, in place of 0.'
        : 'The first number of this voice. Everything after it is made from it, step by step.'
    case 'shift':
      return 'How many of its steps the voice skips at first: with 1 it begins with the second one.'
    case 'condition':
      return explainBody(parts, 'condition', entry.condition?.name ?? '', target.index)
    case 'call': {
      const { name } = callOf(entry, target.callId)
      const phrase = phraseIn(parts, name)
      const argument = phrase?.args[target.index]
      if (phrase !== undefined && argument !== undefined) {
        return `“${argument.name}” of ${name.replaceAll('_', ' ')}. ${phrase.sentence}`
      }
      return explainBody(parts, 'transformation', name, target.index)
    }
  }
}

function explainBody(
  parts: Parts,
  kind: 'transformation' | 'condition',
  name: string,
  index: number,
): string {
  const which = `args[${index}]`
  const source = sourceOf(parts.find(kind, name))
  if (source !== undefined) {
    const lines = source.split('\n').map((line) => line.trim())
    const used = lines.filter((line) => line.includes(which)).slice(0, 3)
    return used.length === 0
      ? `${which} of ${name}: its body does not use it.`
      : `${which} of ${name}, as its body uses it: ${used.join(' ')}`
  }
  return `${which} of ${name || 'nothing yet'}. No source is published: change it, and see what it does.`
}

/** The body of a part, where it can be read. */
export function sourceOf(part: Part): string | undefined {
  if (typeof part === 'string') return undefined
  const code = part.from === 'document' ? part.entry : part.entity
  if (code.kind === 'connector') return undefined
  return typeof code.source === 'string' ? code.source : code.source?.text
}

function callOf({ dimensions }: ConnectorEntry, callId: string): { readonly name: string } {
  return dimensions.flatMap(({ calls }) => calls).find(({ id }) => id === callId) ?? { name: '' }
}
