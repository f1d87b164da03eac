import { z } from 'zod'
import { parseAddress } from '#lib/protocol/address.ts'
import type { ConnectorDefinition, Dimension, PositionedRunningInstance } from '#lib/protocol/definition.ts'
import { ENTITY_KINDS } from '#lib/protocol/entity.ts'
import { parseHash } from '#lib/protocol/hash.ts'
import { entityNameProblem, MAX_NAME_LENGTH } from '#lib/protocol/names.ts'
import { decimalKeyMap, int32Input, parsedText, particlesCountInput, uint32Input } from '../../http/inputs.ts'

/* The chain API's requests, as the specification's tables name them. They parse straight into the domain's forms. */

export const ADDRESS_EXAMPLE = 'f39fd6e51aad88f6f4ce6ab8827279cfffb92266'
export const HASH_EXAMPLE = '4c5e1d9bf84ee0d4dd4f4f1f0d8f9ba1a8ed4aa42a5a5dd7ff0a1f6ad2f7b8c1'
const ADDRESS_PATTERN = '^(0x)?[a-fA-F0-9]{40}$'
const HASH_PATTERN = '^(0x)?[a-fA-F0-9]{64}$'
const NAME_PATTERN = '^[A-Za-z_][A-Za-z0-9_]*$'
const MAX_DYNAMIC_RI = 4096

// --- Path and query -------------------------------------------------------------------------------------------

/** An account in any accepted spelling; parses to the domain's `Address`. */
export const addressInput = parsedText(parseAddress, '40 hexadecimal digits with or without 0x').meta({
  description: 'An account: 40 hexadecimal digits, with or without `0x`, in any case.',
  override: { type: 'string', pattern: ADDRESS_PATTERN },
  example: ADDRESS_EXAMPLE,
})

/** A 32-byte hash in any accepted spelling; parses to the domain's `Hash`. */
export const hashInput = parsedText(parseHash, '64 hexadecimal digits with or without 0x').meta({
  description: '32 bytes: 64 hexadecimal digits, with or without `0x`, in any case.',
  override: { type: 'string', pattern: HASH_PATTERN },
  example: HASH_EXAMPLE,
})

/** The name of an entity. The verb decides whether it may be created. */
export const entityName = z
  .string()
  .superRefine((name, ctx) => {
    const problem = entityNameProblem(name)
    if (problem !== undefined) ctx.addIssue({ code: 'custom', message: problem })
  })
  .meta({
    id: 'EntityName',
    description:
      'Starts with a letter or `_`, then letters, digits and `_`. Creation refuses reserved words of Solidity; reads follow ' +
      'the chain.',
    override: { type: 'string', pattern: NAME_PATTERN, minLength: 1, maxLength: MAX_NAME_LENGTH },
    example: 'pitch',
  })

/** The kind of entity to publish; any other value is a path that does not exist. */
export const entityKindInput = z
  .enum(ENTITY_KINDS, 'expected connector, transformation or condition')
  .meta({ description: 'The kind of entity.', example: 'connector' })

/** `after` of the accounts: trimmed, any case, parses to the domain's `Address`. */
export const addressCursor = parsedText(
  (text) => parseAddress(text.trim()),
  'an address, as cursor.next_after returned it',
).meta({
  description: 'Exclusive: `cursor.next_after` of the page before. It need not exist.',
  override: { type: 'string', pattern: ADDRESS_PATTERN },
  example: ADDRESS_EXAMPLE,
})

/** `after` of the formats: trimmed, any case, parses to the domain's `Hash`. */
export const hashCursor = parsedText(
  (text) => parseHash(text.trim()),
  'a format hash, as cursor.next_after returned it',
).meta({
  description: 'Exclusive: `cursor.next_after` of the page before. It need not exist.',
  override: { type: 'string', pattern: HASH_PATTERN },
  example: HASH_EXAMPLE,
})

/** A cursor into a list of names: trimmed; it need not exist nor be a possible name. */
export const nameCursor = parsedText((text) => {
  const trimmed = text.trim()
  return trimmed !== '' && trimmed.length <= MAX_NAME_LENGTH && isPlainText(trimmed) ? trimmed : undefined
}, `a name of 1 to ${MAX_NAME_LENGTH} characters, as the cursor returned it`).meta({
  description: 'Exclusive: the name the cursor of the page before returned. It need not exist.',
  override: { type: 'string', minLength: 1, maxLength: MAX_NAME_LENGTH },
  example: 'pitch',
})

/** No control characters: they cannot be in a name, and PostgreSQL has no room for NUL. */
function isPlainText(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text)
}

/** Which publications a reader of the feed wants. Spelled out, because parameters must not refer to shared schemas. */
export const feedFilterQuery = {
  kind: z
    .enum(ENTITY_KINDS, 'expected connector, transformation or condition')
    .optional()
    .meta({ description: 'Only entities of this kind.', example: 'connector' }),
  owner: addressInput.optional().meta({ description: 'Only what this account published.' }),
  format: hashInput.optional().meta({ description: 'Only connectors of this format.' }),
  name: parsedText(
    (text) => (text.length <= MAX_NAME_LENGTH && new RegExp(NAME_PATTERN).test(text) ? text : undefined),
    'the name of an entity',
  )
    .meta({
      description: 'Only entities of this name, of any kind.',
      override: { type: 'string', pattern: NAME_PATTERN, minLength: 1, maxLength: MAX_NAME_LENGTH },
      example: 'pitch',
    })
    .optional(),
}

// --- Shared pieces of requests --------------------------------------------------------------------------------

/** A name that refers to another entity. The verb decides whether it exists. */
const reference = z
  .string()
  .regex(new RegExp(NAME_PATTERN), 'expected a name: a letter or "_", then letters, digits and "_"')
  .max(MAX_NAME_LENGTH, `expected at most ${MAX_NAME_LENGTH} characters`)

/** Omitted and empty both mean none; parses to `''`. */
const optionalReference = parsedText(
  (text) => (text === '' || reference.safeParse(text).success ? text : undefined),
  'a name, or "" for none',
)
  .default('')
  .meta({ override: { type: 'string', maxLength: MAX_NAME_LENGTH } })

export const runningInstanceInput = z
  .strictObject({ start_point: uint32Input, transformation_shift: uint32Input })
  .transform((ri) => ({ startPoint: ri.start_point, transformationShift: ri.transformation_shift }))

function positioned(maxEntries: number) {
  return decimalKeyMap(runningInstanceInput, maxEntries)
    .transform((pairs): PositionedRunningInstance[] => pairs.map(([position, ri]) => ({ position, ...ri })))
    .optional()
    .transform((list) => list ?? [])
}

const runningInstanceMapWire = {
  type: 'object',
  additionalProperties: { $ref: '#/components/schemas/RunningInstance' },
  example: { '2': { start_point: 60, transformation_shift: 0 } },
} as const

const staticRiInput = positioned(Number.POSITIVE_INFINITY).meta({
  description: 'Running instances by position; keys are canonical decimals.',
  override: runningInstanceMapWire,
})

const dynamicRiInput = positioned(MAX_DYNAMIC_RI).meta({
  description: 'Overrides of running instances by position; keys are canonical decimals.',
  override: { ...runningInstanceMapWire, maxProperties: MAX_DYNAMIC_RI },
})

const transformationCallInput = z
  .strictObject({ name: reference, args: z.array(uint32Input).default([]) })
  .meta({
    id: 'TransformationCallDef',
    description: 'A transformation with its arguments, uint32 each.',
    example: { name: 'add', args: [1] },
  })

const connectorDimensionInput = z
  .strictObject({
    transformations: z.array(transformationCallInput).meta({ description: 'Applied in order, cyclically.' }),
    composite: optionalReference.describe('The connector this dimension selects from; empty for a scalar.'),
    bindings: decimalKeyMap(reference, Number.POSITIVE_INFINITY)
      .optional()
      .transform((pairs) => pairs ?? [])
      .meta({
        description: 'Slot of the composite -> connector that fills it; keys are canonical decimals.',
        override: { type: 'object', additionalProperties: { type: 'string' }, example: { '0': 'time' } },
      }),
  })
  .transform(
    (dimension): Dimension => ({
      transformations: dimension.transformations,
      composite: dimension.composite,
      bindings: dimension.bindings.map(([slot, name]) => ({ slot, name })),
    }),
  )
  .meta({ id: 'ConnectorDimension', description: 'One dimension of a connector.' })

// --- Requests -------------------------------------------------------------------------------------------------

export const authRequest = z
  .strictObject({
    address: addressInput,
    message: z.string().max(256).meta({
      description: 'Exactly `Login nonce: <nonce>`.',
      example: 'Login nonce: 123456',
    }),
    signature: z
      .string()
      .max(8192)
      .meta({ description: 'EIP-191 signature of the message, hexadecimal, with or without `0x`.' }),
  })
  .meta({ id: 'AuthRequest' })

/** Parses to the domain's `ConnectorDefinition`, in normal form. */
export const createConnectorRequest = z
  .strictObject({
    name: entityName,
    dimensions: z
      .array(connectorDimensionInput)
      .min(1, 'expected at least one dimension')
      .describe('Dimensions of the connector, in order.'),
    condition_name: optionalReference.describe('The condition that guards the connector; empty for none.'),
    condition_args: z.array(int32Input).default([]).describe('Arguments of the condition, int32 each.'),
    static_ri: staticRiInput,
  })
  .transform(
    (request): ConnectorDefinition => ({
      name: request.name,
      dimensions: request.dimensions,
      conditionName: request.condition_name,
      // Without a condition they mean nothing, and no connector on chain has any.
      conditionArgs: request.condition_name === '' ? [] : request.condition_args,
      staticRi: request.static_ri,
    }),
  )
  .meta({
    id: 'CreateConnectorRequest',
    example: { name: 'pitch', dimensions: [{ transformations: [{ name: 'add', args: [1] }] }] },
  })

const MAX_SOURCE_BYTES = 32 * 1024

/** Shared by transformations and conditions. */
function createCodeRequest(id: string, example: { name: string; sol_src: string }) {
  return z
    .strictObject({
      name: entityName,
      sol_src: z
        .string()
        .refine((source) => source.trim() !== '', 'expected a Solidity function body')
        .refine(
          (source) => new TextEncoder().encode(source).length <= MAX_SOURCE_BYTES,
          `expected at most ${MAX_SOURCE_BYTES} bytes`,
        )
        .meta({ description: 'Body of the Solidity function, at most 32 KiB. No endpoint returns it.' }),
    })
    .meta({ id, example })
}

export const createTransformationRequest = createCodeRequest('CreateTransformationRequest', {
  name: 'add',
  sol_src: 'return x + args[0];',
})

export const createConditionRequest = createCodeRequest('CreateConditionRequest', {
  name: 'threshold',
  sol_src: 'return args[0] >= args[1];',
})

export const executeRequest = z
  .strictObject({
    connector_name: reference.meta({ description: 'The connector that runs.', example: 'pitch' }),
    particles_count: particlesCountInput,
    dynamic_ri: dynamicRiInput,
  })
  .meta({ id: 'ExecuteRequest', example: { connector_name: 'pitch', particles_count: 12 } })

export const prepareRequest = z
  .strictObject({
    name: entityName,
    relay: z
      .boolean()
      .default(false)
      .describe('Fill in nonce and fees, for signing without a wallet that does.'),
  })
  .meta({ id: 'PrepareRequest', example: { name: 'pitch', relay: true } })

export const sendRequest = z
  .strictObject({
    name: entityName,
    content_hash: hashInput,
    raw_tx: z.string().describe('The signed type-2 transaction, hexadecimal.'),
  })
  .meta({ id: 'SendRequest' })

export const confirmRequest = z
  .strictObject({ name: entityName, content_hash: hashInput, tx_hash: hashInput })
  .meta({ id: 'ConfirmRequest' })
