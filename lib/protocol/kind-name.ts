import type { ListedKind } from './listed-kind.ts'

/** The words of pages and studio for the protocol's kinds. */
const KIND_NAMES = {
  connector: ['Piece', 'Pieces'],
  transformation: ['Function', 'Functions'],
  condition: ['Gate', 'Gates'],
  format: ['Format', 'Formats'],
  person: ['Account', 'People'],
  world: ['World', 'Worlds'],
} as const satisfies Record<ListedKind, readonly [string, string]>

/** The singular of a kind. */
export function kindName(kind: ListedKind): string {
  return KIND_NAMES[kind][0]
}

/** The plural of a kind. */
export function kindsName(kind: ListedKind): string {
  return KIND_NAMES[kind][1]
}

/** The singular of a kind inside a sentence. */
export function kindWord(kind: ListedKind): string {
  return kind === 'world' ? 'World' : kindName(kind).toLowerCase()
}

/** The plural of a kind inside a sentence. */
export function kindsWord(kind: ListedKind): string {
  return kind === 'world' ? 'Worlds' : kindsName(kind).toLowerCase()
}
