import { authorWordsWire, encodeAuthorMetadata, parseAuthorMetadata } from '#lib/protocol/author-metadata.ts'
import type { Presentation } from '#lib/protocol/presentation.ts'

/** Author's words about a publication, spelled as on chain. `/docs/authors-words` of any Weft has the limits. */
export interface AuthorWords {
  readonly description?: string
  /** SPDX licence expression. */
  readonly licence?: string
  /** Published entities that it is made from. */
  readonly made_from?: readonly {
    readonly content_hash: string
    readonly kind: 'connector' | 'transformation' | 'condition'
    readonly name: string
  }[]
  /** Presentation of a connector. */
  readonly present?: Presentation
  /** Body of a transformation or condition. */
  readonly source?: string
  /** Title of a connector. */
  readonly title?: string
}

/** Metadata of a publication. @throws Error with a sentence when the words break a rule of the format. */
export function encodeWords({ made_from = [], ...words }: AuthorWords): `0x${string}` {
  const madeFrom = made_from.map(({ content_hash, ...entity }) => ({
    ...entity,
    contentHash: content_hash as `0x${string}`,
  }))
  return encodeAuthorMetadata({ ...words, madeFrom })
}

/** Words of the metadata of a publication; undefined for metadata in any other form. */
export function parseWords(metadata: `0x${string}` | Uint8Array): AuthorWords | undefined {
  const words = parseAuthorMetadata(metadata)
  return words && authorWordsWire(words)
}
