import { z } from 'zod'
import { addressInput, createConnectorRequest, entityKindInput } from '../chain/request-schemas.ts'
import { slice } from './preview-schemas.ts'

/*
 * What the publication plan of the studio sends and reads. Amounts of gas and wei are decimal texts: they outgrow
 * JSON's numbers.
 */

const amount = z.string().regex(/^\d+$/)
const hex = z.string().regex(/^0x[0-9a-f]*$/)
const kind = z.enum(['connector', 'transformation', 'condition'])

export const planRequest = z.strictObject({
  ...slice,
  kind: entityKindInput,
  name: createConnectorRequest.in.shape.name,
  account: addressInput.optional(),
})

export const planAnswer = z.discriminatedUnion('outcome', [
  z.strictObject({
    outcome: z.literal('planned'),
    chain_id: z.int(),
    items: z.array(
      z.strictObject({
        kind,
        name: z.string(),
        content_hash: hex,
        /** What the registry holds under the name; null when it is free. */
        entry: z.strictObject({ address: hex, owner: hex, content_hash: hex }).nullable(),
        /** Whether the document defines it; otherwise it is what the network has under the name. */
        in_document: z.boolean(),
        /** Account with a draft of the name on this server. */
        draft_owner: hex.nullable(),
        /** What its results depend on beside their input, with everything below it. */
        traits: z.strictObject({
          depends_on: z.enum(['input', 'block', 'surroundings']),
          reads: z.array(z.string()),
          calls: z.boolean(),
        }),
        gas: amount,
      }),
    ),
    likely_fee_per_gas: amount,
    most_fee_per_gas: amount,
    balance: amount.nullable(),
  }),
  z.strictObject({
    outcome: z.literal('invalid'),
    problems: z.array(z.strictObject({ kind, name: z.string(), message: z.string() })),
  }),
])

export const publicationsAnswer = z.strictObject({
  publications: z.array(
    z.strictObject({
      kind,
      name: z.string(),
      content_hash: hex,
      stage: z.enum(['prepared', 'pending', 'mined', 'failed']),
      tx_hash: hex.nullable(),
      publication_nonce: z.int(),
      /** Unix seconds. */
      deadline: z.int(),
    }),
  ),
})

export type PlanRequest = z.input<typeof planRequest>
export type PlanAnswer = z.output<typeof planAnswer>
export type PublicationsAnswer = z.output<typeof publicationsAnswer>
