import {
  type AuthorMetadata,
  encodeAuthorMetadata,
  MAX_METADATA_BYTES,
} from '#lib/protocol/author-metadata.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import type { Presentation } from '#lib/protocol/presentation.ts'
import type { StudioDocument } from '#lib/studio/document/types.ts'
import type { PublicationDraft } from '#lib/studio/session.ts'
import { LICENCES } from '#lib/ui/entity/licences.ts'
import { itemKey, openItems, type PlanItem } from './plan.ts'

/** Author's choices about the words of a plan. */
export interface WordChoices extends NonNullable<PublicationDraft['choices']> {
  /** Presentation of the connector that is published as a piece; absent where everything is a part. */
  readonly piece?: PieceWords | undefined
}

export interface PieceWords {
  /** Name of the connector. */
  readonly name: string
  readonly title: string
  readonly present: Presentation
}

export const DEFAULT_CHOICES: WordChoices = { openSource: true, licence: 'MIT', descriptions: new Map() }

/** Options of the field for a licence. */
export const LICENCE_OPTIONS: readonly (readonly [id: string, text: string])[] = [
  ...LICENCES.map(([id, name, allows]) => [id, `${name}: ${allows}`] as const),
  ['', 'No licence: all rights reserved'],
]

/** The words of an item, as far as they fit. @returns also why the source or everything was left out. */
export function wordsOf(
  item: Pick<PlanItem, 'kind' | 'name' | 'contentHash'>,
  document: StudioDocument,
  choices: WordChoices,
): { readonly words: AuthorMetadata; readonly problem: string | undefined } {
  const entry = document.entries.find(({ kind, name }) => kind === item.kind && name === item.name)
  if (entry === undefined) return { words: {}, problem: undefined }
  const { madeFrom } = entry
  const description = (choices.descriptions.get(itemKey(item)) ?? '').trim()
  const piece = entry.kind === 'connector' && entry.name === choices.piece?.name ? choices.piece : undefined
  const words: AuthorMetadata = {
    ...(piece && { title: piece.title.trim(), present: piece.present }),
    description,
    licence: choices.licence,
    ...(madeFrom && {
      madeFrom: [{ contentHash: madeFrom.contentHash as Hash, kind: madeFrom.kind, name: madeFrom.name }],
    }),
  }
  const problem = problemOf(words)
  if (problem !== undefined) return { words: {}, problem: `${problem}: it is published without words.` }
  if (entry.kind === 'connector' || !choices.openSource) return { words, problem: undefined }
  const withSource = { ...words, source: entry.source }
  const sourceProblem = problemOf(withSource)
  return sourceProblem === undefined
    ? { words: withSource, problem: undefined }
    : { words, problem: `${sourceProblem}: it is published without its source.` }
}

function problemOf(words: AuthorMetadata): string | undefined {
  try {
    encodeAuthorMetadata(words)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : 'The words are not valid'
  }
}

/** Gas of a byte of calldata that is not zero. */
const BYTE_GAS = 16n

/** Gas that the words of a plan add to it: words are calldata only. */
export function gasOfWords(
  items: readonly PlanItem[],
  document: StudioDocument,
  choices: WordChoices,
): bigint {
  return openItems({ items }).reduce((gas, item) => {
    const bytes = encodeAuthorMetadata(wordsOf(item, document, choices).words).length / 2 - 1
    return gas + BigInt(Math.min(bytes, MAX_METADATA_BYTES)) * BYTE_GAS
  }, 0n)
}
