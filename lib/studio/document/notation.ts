import type { DraftCall, Id } from './types.ts'

/*
 * The calls of a dimension as they are written in a row: consecutive calls of one function stand together, and numbers
 * that all of them share stand once. Nothing of it is a part of the document.
 */

/** Look of a phrase's numbers: a grid of levels, or one number after another. */
type PhraseLook = 'steps' | 'numbers'

/** Consecutive calls of one function. */
export interface Phrase {
  readonly calls: readonly DraftCall[]
  /** Index of the first of them in the dimension. */
  readonly from: number
  /** Indices of arguments that are equal in all of them, and stand once. */
  readonly shared: readonly number[]
  readonly look: PhraseLook
  /** Whether the last call leads back to the start: both are one number, the first of the row. */
  readonly tied: boolean
}

/**
 * A phrase that is being edited: it stays as it is until that ends, but for numbers that come to differ, as by an undo: one
 * field in their place would overwrite them.
 */
export type HeldPhrase = Pick<Phrase, 'shared' | 'look' | 'tied'> & {
  readonly callIds: readonly Id[]
  /** Whether its function is being named: it joins no neighbour that has the same one meanwhile. */
  readonly apart: boolean
}

/** Larger numbers are pitches or places, not levels. */
const HIGHEST_LEVEL = 16

/**
 * The phrases of a dimension.
 *
 * @param isLevel Whether a function does nothing but return its argument.
 * @param start Where the dimension starts, unless a shift moves what follows; undefined otherwise.
 */
export function phrasesOf(
  calls: readonly DraftCall[],
  isLevel: (name: string) => boolean,
  start: string | undefined,
  held: HeldPhrase | undefined,
): readonly Phrase[] {
  const ids = new Set(held?.callIds)
  const groups: DraftCall[][] = []
  for (const call of calls) {
    const last = groups.at(-1)
    const before = last?.at(-1)
    const isHeld = before !== undefined && ids.has(before.id) && ids.has(call.id)
    const isSplit = held?.apart === true && before !== undefined && ids.has(before.id) !== ids.has(call.id)
    const joins = isHeld || (!isSplit && before?.name === call.name && call.name !== '')
    if (joins) last!.push(call)
    else groups.push([call])
  }
  let from = 0
  return groups.map((group) => {
    const phrase = { calls: group, from, ...formOf(group) }
    from += group.length
    return phrase
  })

  function formOf(group: readonly DraftCall[]): Omit<Phrase, 'calls' | 'from'> {
    const isHeld = group.length === ids.size && group.every(({ id }) => ids.has(id))
    const isTied = group.length === calls.length && start === group.at(-1)!.args[0]
    const shared = sharedOf(group)
    if (held !== undefined && isHeld) {
      const stillShared = held.shared.filter((index) => shared.includes(index))
      return { shared: stillShared, look: held.look, tied: held.tied && isTied }
    }
    const look = group.length > 1 && isLevel(group[0]!.name) && group.every(isSmall) ? 'steps' : 'numbers'
    return { shared: look === 'steps' ? [] : shared, look, tied: look === 'steps' && isTied }
  }
}

function isSmall({ args }: DraftCall): boolean {
  const [text = ''] = args
  return args.length === 1 && /^\d{1,2}$/.test(text) && Number(text) <= HIGHEST_LEVEL
}

/** The first argument is what differs between steps, also where it does not. */
function sharedOf(calls: readonly DraftCall[]): readonly number[] {
  const [first, ...others] = calls
  if (first === undefined || others.length === 0) return []
  return first.args.flatMap((text, index) =>
    index > 0 && others.every(({ args }) => args[index] === text) ? [index] : [],
  )
}

/** A longer body, which a stranger may have published, is not searched at every change of the document. */
const MAX_BODY = 2_000

/** The body of a function without its comments; undefined for a long one, and for none. */
function plain(source: string | undefined): string | undefined {
  if (source === undefined || source.length > MAX_BODY) return undefined
  return source.replaceAll(/\/\/.*|\/\*[\s\S]*?(?:\*\/|$)/g, '').trim()
}

/** Whether a function returns its only argument, whatever it gets: one step of a pattern. */
export function returnsLevel(source: string | undefined): boolean {
  return /^return\s+args\[0\]\s*;$/.test(plain(source) ?? '')
}

const SIGNS: readonly (readonly [operator: string, sign: string])[] = [
  ['\\+', '+'],
  ['-', '−'],
  ['\\*', '×'],
  ['/', '÷'],
  ['%', 'around'],
]

/** The sign of an argument that a body uses once, behind an operator: `+`, `×`, or `around` for a ring; else undefined. */
export function signOf(source: string | undefined, index: number): string | undefined {
  const body = plain(source)
  if (body === undefined) return undefined
  const argument = `args\\[${index}\\]`
  if (body.match(new RegExp(argument, 'g'))?.length !== 1) return undefined
  return SIGNS.find(([operator]) => new RegExp(`${operator}\\s*${argument}`).test(body))?.[1]
}
