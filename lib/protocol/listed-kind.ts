import type { EntityKind } from './entity.ts'

/** Kinds of what lists and searches show, in display order. */
export const LISTED_KINDS = [
  'connector',
  'transformation',
  'condition',
  'format',
  'person',
  'world',
] as const satisfies readonly ListedKind[]

export type ListedKind = EntityKind | 'format' | 'person' | 'world'
