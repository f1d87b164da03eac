import { z } from 'zod'
import { encodeAuthorMetadata, MAX_MADE_FROM } from '#lib/protocol/author-metadata.ts'
import type { EntityKind, Hash, Hex } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import type { Presentation } from '#lib/protocol/presentation.ts'
import { entityKindInput, entityName } from '../chain/request-schemas.ts'

/** The author's words; `encodeAuthorMetadata` has the rules. */
export const authorWords = z
  .strictObject({
    description: z.string().optional(),
    licence: z.string().optional(),
    made_from: z
      .array(z.strictObject({ kind: entityKindInput, name: entityName, content_hash: z.string() }))
      .max(MAX_MADE_FROM)
      .optional(),
    source: z.string().optional(),
    title: z.string().optional(),
    present: z.looseObject({}).optional(),
  })
  .describe("The author's words.")

/**
 * The metadata of an author's words.
 *
 * @throws Failure('invalid_request') for words that break a rule of the format, or that a kind has none of.
 */
export function encodeWords(kind: EntityKind, words: z.output<typeof authorWords>): Hex {
  const { made_from: madeFrom = [], description = '', licence = '', source = '', title, present } = words
  if (kind === 'connector' && source !== '') {
    throw new Failure('invalid_request', 'A connector has no source')
  }
  if (kind !== 'connector' && (title !== undefined || present !== undefined)) {
    throw new Failure('invalid_request', 'Only a connector has a title and a presentation')
  }
  try {
    return encodeAuthorMetadata({
      description,
      licence,
      madeFrom: madeFrom.map((origin) => ({ ...origin, contentHash: origin.content_hash as Hash })),
      source,
      ...(title && { title }),
      // The encoder refuses what is no presentation.
      ...(present && { present: present as unknown as Presentation }),
    })
  } catch (error) {
    throw new Failure('invalid_request', error instanceof Error ? error.message : 'The words are not valid')
  }
}
