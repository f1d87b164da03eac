import '#lib/browser/zod-without-eval.ts'
import { placeIn, readManifest } from '#lib/compute/bundle/manifest.ts'
import type { BodyDiagnostic } from '#lib/ui/studio/code/code-text.ts'
import { readProblem } from './problems.ts'

/** Everything that is wrong with a manifest, by the rules of an upload, each at its place in the text. */
export function manifestDiagnostics(text: string): readonly BodyDiagnostic[] {
  const read = readManifest(new TextEncoder().encode(text))
  if (!('problems' in read)) return []
  const { places, end } = jsonPlaces(text)
  return read.problems.map(readProblem).map(({ place, text: words }) => {
    // Without a place it is about the text as JSON.
    const offset = place === undefined ? end : nearest(places, place)
    const before = text.slice(0, offset).split('\n')
    return {
      line: before.length,
      column: [...(before.at(-1) ?? '')].length + 1,
      message: place === undefined ? words : `${place}: ${words}`,
    }
  })
}

/** Offset of a place, or of the innermost one around it that the text has. */
function nearest(places: ReadonlyMap<string, number>, place: string): number {
  let outer = place
  while (outer !== '' && !places.has(outer)) outer = outer.replace(/(?:^|\.)\w+$|\[[^[]*$/, '')
  return places.get(outer) ?? 0
}

/** Offsets in a JSON text: of the key or the entry at each place, and of the first character that is no JSON. */
function jsonPlaces(text: string): { readonly places: ReadonlyMap<string, number>; readonly end: number } {
  const places = new Map([['', 0]])
  let at = 0
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const token = pattern.exec(text)?.[0]
    if (token === undefined) throw new SyntaxError('Not JSON')
    at += token.length
    return token
  }
  const entries = (end: RegExp, entry: (index: number) => void) => {
    at += 1
    take(SPACE)
    for (let index = 0; text[at] !== end.source.at(-1); index += 1) {
      if (index > 0) take(COMMA)
      entry(index)
      take(SPACE)
    }
    take(end)
  }
  const value = (place: string): void => {
    take(SPACE)
    if (text[at] === '{') {
      entries(BRACE, () => {
        take(SPACE)
        const begin = at
        const inner = placeIn(place, JSON.parse(take(STRING)) as string)
        places.set(inner, begin)
        take(COLON)
        value(inner)
      })
    } else if (text[at] === '[') {
      entries(BRACKET, (index) => {
        take(SPACE)
        places.set(placeIn(place, index), at)
        value(placeIn(place, index))
      })
    } else take(SCALAR)
  }
  try {
    value('')
    take(SPACE)
  } catch {
    // What is left begins at `at`.
  }
  return { places, end: at }
}

const SPACE = /[ \t\r\n]*/y
const COMMA = /,/y
const COLON = /[ \t\r\n]*:/y
const BRACE = /\}/y
const BRACKET = /\]/y
const STRING = /"(?:[^"\\\p{Cc}]|\\.)*"/uy
const SCALAR = /"(?:[^"\\\p{Cc}]|\\.)*"|true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/uy
