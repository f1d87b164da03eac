import { z } from 'zod'
import { parseAddress } from '../../domain/address.ts'
import type { ConnectorDefinition, Dimension, PositionedRunningInstance } from '../../domain/definition.ts'
import { ENTITY_KINDS } from '../../domain/entity.ts'
import { parseHash } from '../../domain/hash.ts'
import { entityNameProblem, MAX_NAME_LENGTH } from '../../domain/names.ts'
import { decimalKeyMap, int32Input, parsedText, particlesCountInput, uint32Input } from '../../http/inputs.ts'

/*
 * The chain API's types, as the specification's tables name them. Requests parse straight into the domain's
 * forms; responses have no transforms, so that what is written is what is validated.
 */

const ADDRESS_EXAMPLE = 'f39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const HASH_EXAMPLE = '4c5e1d9bf84ee0d4dd4f4f1f0d8f9ba1a8ed4aa42a5a5dd7ff0a1f6ad2f7b8c1'
const ADDRESS_PATTERN = '^(0x)?[a-fA-F0-9]{40}$'
const HASH_PATTERN = '^(0x)?[a-fA-F0-9]{64}$'
const NAME_PATTERN = '^[A-Za-z_][A-Za-z0-9_]*$'
const DECIMAL_PATTERN = '^(0|[1-9][0-9]*)$'
const UINT32 = 4_294_967_295
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

/** The name of an entity: the pattern, at most 128 characters. Whether it may be created is for the verb to say. */
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

// --- Shared pieces of requests --------------------------------------------------------------------------------

/** A name that refers to another entity. Whether it exists is for the verb to say. */
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
    message: z
      .string()
      .max(256)
      .meta({ description: 'Exactly `Login nonce: <nonce>`.', example: 'Login nonce: 123456' }),
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
    dimensions: z.array(connectorDimensionInput).min(1, 'expected at least one dimension'),
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
    connector_name: reference.meta({ example: 'pitch' }),
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

// --- Shared pieces of responses -------------------------------------------------------------------------------

const uint32 = z
  .int()
  .min(0)
  .max(UINT32)
  .meta({ override: { format: 'int64' } })
const count = z
  .int()
  .min(0)
  .meta({
    override: ({ jsonSchema }) => {
      jsonSchema.format = 'int64'
      // The largest safe integer of a language is no bound of the API.
      delete jsonSchema.maximum
    },
  })
const limit = z.int().min(1).max(256)

/** Owners: lower case without `0x`. */
const bareAddress = z
  .string()
  .regex(/^[a-f0-9]{40}$/)
  .meta({ id: 'Address', description: 'An account, lower case without `0x`.', example: ADDRESS_EXAMPLE })

const bareHash = z
  .string()
  .regex(/^[a-f0-9]{64}$/)
  .meta({ id: 'FormatHash', description: '32 bytes, lower case without `0x`.', example: HASH_EXAMPLE })

/** Publication objects: `0x` everywhere. */
const prefixedAddress = z
  .string()
  .regex(/^0x[a-f0-9]{40}$/)
  .meta({ example: `0x${ADDRESS_EXAMPLE}` })
const prefixedHash = z
  .string()
  .regex(/^0x[a-f0-9]{64}$/)
  .meta({ id: 'Hash32', description: '32 bytes, lower case with `0x`.', example: `0x${HASH_EXAMPLE}` })
const hexBytes = z.string().regex(/^0x([a-f0-9]{2})*$/)
const hexQuantity = z
  .string()
  .regex(/^0x(0|[1-9a-f][a-f0-9]*)$/)
  .meta({ example: '0x1a2b' })

const entityAddress = z
  .string()
  .regex(/^0x(0|[a-f0-9]{40})$/)
  .meta({
    description: 'Where the entity is on chain, `0x` with lower case; `0x0` while it is a draft.',
    example: '0x0',
  })
const draftAddress = z.literal('0x0').meta({ description: 'A draft has no address yet.' })

const runningInstance = z
  .strictObject({ start_point: uint32, transformation_shift: uint32 })
  .meta({ id: 'RunningInstance', description: 'Where a running instance starts and how far it is shifted.' })

const connectorDimension = z
  .strictObject({
    transformations: z.array(
      z.strictObject({ name: z.string(), args: z.array(uint32) }).meta({ id: 'TransformationCall' }),
    ),
    composite: z.string().describe('Empty for a scalar.'),
    bindings: z.record(z.string().regex(new RegExp(DECIMAL_PATTERN)), z.string()),
  })
  .meta({ id: 'ConnectorDimensionInfo', description: 'One dimension of a connector, every field written.' })

function cursorState(next: z.ZodType<string>, id: string) {
  return z
    .strictObject({
      has_more: z.boolean(),
      next_after: next.nullable().describe('Pass as `after` for the next page; null when there is none.'),
    })
    .meta({ id })
}

const accountCursor = cursorState(z.string().regex(/^[a-f0-9]{40}$/), 'AccountCursor')
const formatCursor = cursorState(z.string().regex(/^[a-f0-9]{64}$/), 'FormatHashCursor')
const nameCursorState = cursorState(z.string(), 'NameCursor')
const names = z.array(z.string())

// --- Responses ------------------------------------------------------------------------------------------------

export const versionResponse = z
  .strictObject({
    build_timestamp: z.iso.datetime(),
    version: z.string().meta({ example: '0.4.0' }),
  })
  .meta({ id: 'VersionResponse' })

export const nonceResponse = z
  .strictObject({
    nonce: z
      .string()
      .regex(/^[0-9]+$/)
      .meta({ example: '309485009821345068724781056123456789012' }),
  })
  .meta({ id: 'NonceResponse' })

export const authResponse = z
  .strictObject({ access_token: z.string().describe('A JWT, valid five minutes.') })
  .meta({ id: 'AuthResponse' })

export const errorResponse = z
  .strictObject({ message: z.string().describe('What is wrong, for people.') })
  .meta({ id: 'ErrorResponse', example: { message: 'Connector not found' } })

export const publishError = z
  .strictObject({
    message: z.string(),
    status: z.literal('pending').optional().describe('On 202 only.'),
    tx_hash: z.string().optional(),
    missing: z
      .array(z.string())
      .optional()
      .describe('`<kind>/<name>` of dependencies absent from the registry.'),
    mismatched: z
      .array(z.string())
      .optional()
      .describe('`<kind>/<name>` of dependencies registered with another artifact.'),
  })
  .meta({ id: 'PublishError' })

export const accountListResponse = z
  .strictObject({ limit, total_accounts: count, cursor: accountCursor, accounts: z.array(bareAddress) })
  .meta({ id: 'AccountListResponse' })

export const accountInfoResponse = z
  .strictObject({
    address: bareAddress,
    limit,
    owned_connectors: names,
    owned_transformations: names,
    owned_conditions: names,
    cursor_connectors: nameCursorState,
    cursor_transformations: nameCursorState,
    cursor_conditions: nameCursorState,
  })
  .meta({ id: 'AccountInfoResponse' })

export const connectorInfoResponse = z
  .strictObject({
    name: z.string(),
    dimensions: z.array(connectorDimension),
    condition_name: z.string().describe('Empty when there is no condition.'),
    condition_args: z.array(z.int32()),
    static_ri: z.record(z.string().regex(new RegExp(DECIMAL_PATTERN)), runningInstance),
    owner: bareAddress,
    address: entityAddress,
    format_hash: bareHash,
  })
  .meta({ id: 'ConnectorInfoResponse' })

const codeInfo = { name: z.string(), args_count: uint32, owner: bareAddress, address: entityAddress }
export const transformationInfoResponse = z.strictObject(codeInfo).meta({ id: 'TransformationInfoResponse' })
export const conditionInfoResponse = z.strictObject(codeInfo).meta({ id: 'ConditionInfoResponse' })

export const createConnectorResponse = z
  .strictObject({ name: z.string(), owner: bareAddress, address: draftAddress, format_hash: bareHash })
  .meta({ id: 'CreateConnectorResponse' })

const createdCode = { name: z.string(), owner: bareAddress, address: draftAddress, args_count: uint32 }
export const createTransformationResponse = z
  .strictObject(createdCode)
  .meta({ id: 'CreateTransformationResponse' })
export const createConditionResponse = z.strictObject(createdCode).meta({ id: 'CreateConditionResponse' })

export const formatListResponse = z
  .strictObject({ limit, total_formats: count, cursor: formatCursor, formats: z.array(bareHash) })
  .meta({ id: 'FormatListResponse' })

export const formatInfoResponse = z
  .strictObject({
    format_hash: bareHash,
    limit,
    total_connectors: count,
    cursor: nameCursorState,
    scalars: z.array(z.string()).describe('Labels of the form `scalar:tail_id`.'),
    connectors: names,
  })
  .meta({ id: 'FormatInfoResponse' })

export const feedEventType = z
  .enum(['connector_added', 'transformation_added', 'condition_added'])
  .meta({ id: 'FeedEventType' })

const feedItem = z
  .strictObject({
    feed_id: z.string().meta({
      description: 'Identity of the logical event, whatever block it is in.',
      example: '31337:connector_added:pitch',
    }),
    event_type: feedEventType,
    status: z.enum(['observed', 'safe', 'finalized', 'removed']).meta({ id: 'FeedEventStatus' }),
    visible: z.boolean().describe('False after a reorganisation took the event back.'),
    tx_hash: prefixedHash,
    block_number: count,
    tx_index: count,
    log_index: count,
    history_cursor: z.string().meta({
      description: 'Sorts like the position on chain.',
      example: '000000000000042-00000000-00000000',
    }),
    created_at_ms: count.describe('Unix milliseconds of the block.'),
    updated_at_ms: count.describe('Unix milliseconds of the last change of the item.'),
    projector_version: z.int().min(1),
    payload: z
      .strictObject({ type: z.enum(ENTITY_KINDS), name: z.string(), owner: prefixedAddress })
      .meta({ id: 'FeedEventPayload' }),
  })
  .meta({ id: 'FeedItem' })

export const feedPage = z
  .strictObject({
    limit,
    cursor: z
      .strictObject({
        has_more: z.boolean(),
        next_before: z
          .string()
          .nullable()
          .describe('Pass as `before` for the next page; null when there is none.'),
      })
      .meta({ id: 'FeedCursor' }),
    items: z.array(feedItem),
  })
  .meta({ id: 'FeedPage' })

const particlesResultItem = z
  .strictObject({
    path: z.string().meta({ description: 'Fully qualified execution path.', example: '/pitch:0' }),
    data: z.array(uint32),
  })
  .meta({ id: 'ParticlesResultItem' })

export const particlesResult = z.array(particlesResultItem)

export const executeResponse = z
  .strictObject({
    block_number: count.describe('The block the call was pinned to.'),
    block_hash: prefixedHash,
    runner: prefixedAddress.describe('The runner contract that answered.'),
    particles: particlesResult,
  })
  .meta({ id: 'ExecuteResponse' })

const entityKind = z.enum(ENTITY_KINDS).meta({ id: 'EntityKind' })

const unsignedTransaction = z
  .strictObject({
    from: prefixedAddress,
    to: z
      .string()
      .regex(/^0x[a-fA-F0-9]{40}$/)
      .describe('The registry, with its EIP-55 checksum.'),
    data: hexBytes,
    chainId: hexQuantity,
    gas: hexQuantity.describe('Estimate plus headroom.'),
  })
  .meta({ id: 'UnsignedTransaction' })

const signingFields = z
  .strictObject({
    type: z.literal('0x2'),
    nonce: hexQuantity,
    maxFeePerGas: hexQuantity,
    maxPriorityFeePerGas: hexQuantity,
    value: z.literal('0x0'),
  })
  .meta({ id: 'SigningFields' })

const preparedPublication = z
  .strictObject({
    status: z.literal('prepared'),
    kind: entityKind,
    name: z.string(),
    transaction: unsignedTransaction,
    address: prefixedAddress.describe('Where the entity will be.'),
    content_hash: prefixedHash,
    publication_nonce: count.describe("The owner's publication nonce bound into the transaction."),
    deadline: count.describe('Unix seconds after which the registry refuses the transaction.'),
    signing: signingFields.optional().describe('Only when the request set `relay`.'),
  })
  .meta({ id: 'PreparedPublication' })

const alreadyPublished = z
  .strictObject({
    status: z.literal('published'),
    kind: entityKind,
    name: z.string(),
    address: prefixedAddress,
    owner: prefixedAddress,
    content_hash: prefixedHash,
  })
  .meta({ id: 'AlreadyPublished' })

export const prepareResponse = z
  .discriminatedUnion('status', [preparedPublication, alreadyPublished])
  .meta({ id: 'PrepareResponse' })

export const sendResponse = z
  .strictObject({ status: z.literal('pending'), tx_hash: prefixedHash })
  .meta({ id: 'SendResponse' })

export const confirmResponse = z
  .strictObject({
    status: z.literal('mined'),
    kind: entityKind,
    name: z.string(),
    tx_hash: prefixedHash,
    block_number: count,
    address: prefixedAddress,
    owner: prefixedAddress,
    content_hash: prefixedHash,
  })
  .meta({ id: 'ConfirmResponse' })
