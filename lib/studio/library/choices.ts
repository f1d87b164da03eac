import { isEntityName, newNameProblem } from '#lib/protocol/names.ts'
import { argsCountOf } from '../document/args-count.ts'
import { argsCountOfPart, type Parts } from '../document/parts.ts'
import type { CodeEntry, Entry } from '../document/types.ts'
import { PHRASE_BOOK, type Phrase } from './phrase-book.ts'

/** A transformation that can be chosen. */
export type Choice =
  | { readonly from: 'own'; readonly name: string; readonly entry: CodeEntry }
  | { readonly from: 'phrase book'; readonly name: string; readonly phrase: Phrase }
  | { readonly from: 'published'; readonly name: string }
  /** Makes one of this name. */
  | { readonly from: 'new'; readonly name: string }

export const MAX_CHOICES = 60

/**
 * What can be chosen for a text: a name, or words for what it does. The best first; own ones before the phrase book, and
 * that before what else is published.
 *
 * @param published Names, newest first.
 */
export function choicesFor(
  text: string,
  entries: readonly Entry[],
  published: readonly string[],
): readonly Choice[] {
  const own = entries.filter(
    (entry): entry is CodeEntry => entry.kind === 'transformation' && entry.name !== '',
  )
  const takenNames = new Set(own.map(({ name }) => name))
  const phrases = PHRASE_BOOK.filter(({ name }) => !takenNames.has(name))
  for (const { name } of phrases) takenNames.add(name)
  const all: readonly (readonly [Choice, string])[] = [
    ...own.map(
      (entry) => [{ from: 'own', name: entry.name, entry } as const, comments(entry.source)] as const,
    ),
    ...phrases.map(
      (phrase) =>
        [
          { from: 'phrase book', name: phrase.name, phrase } as const,
          `${phrase.synonyms} ${phrase.sentence}`,
        ] as const,
    ),
    ...[...new Set(published)]
      .filter((name) => !takenNames.has(name))
      .map((name) => [{ from: 'published', name } as const, ''] as const),
  ]
  const query = text.trim().toLowerCase()
  const matches = all
    .map(([choice, more]) => ({ choice, rank: rankOf(query, choice.name, more) }))
    .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_CHOICES)
    .map(({ choice }) => choice)
  const name = text.trim()
  const isFree = matches.every((choice) => choice.name !== name)
  return isFree && isEntityName(name) && newNameProblem(name) === undefined
    ? [...matches, { from: 'new', name }]
    : matches
}

/** Number of arguments that a choice takes; undefined while only the network knows. */
export function argsOf(choice: Choice, parts: Parts): number | undefined {
  if (choice.from === 'phrase book') return choice.phrase.args.length
  if (choice.from === 'own') return argsCountOf(choice.entry.source)
  return argsCountOfPart(parts.find('transformation', choice.name))
}

/** 0 for the name itself; every word has to occur, in the name better than in the words around it. */
function rankOf(query: string, name: string, more: string): number {
  const lower = name.toLowerCase()
  if (query === '' || query === lower) return 0
  if (lower.startsWith(query)) return 1
  if (lower.includes(query)) return 2
  const inName = lower.split('_')
  const around = more.toLowerCase().split(/[^a-z0-9]+/)
  let rank = 3
  for (const word of query.split(/[\s_]+/)) {
    if (inName.some((part) => part.startsWith(word))) continue
    const at = around.findIndex((part) => part.startsWith(word))
    if (at === -1) return Number.POSITIVE_INFINITY
    // The synonyms that fit best are listed first.
    rank += 1 + at / 100
  }
  return rank
}

/** The comments of a body, in which authors say what it does. */
export function comments(source: string): string {
  return Array.from(source.matchAll(/\/\/([^\n]*)/g), ([, text = '']) => text.trim()).join(' ')
}
