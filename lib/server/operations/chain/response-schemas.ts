import { z } from 'zod'
import { ENTITY_KINDS } from '#lib/protocol/entity.ts'
import { UINT32_MAX } from '../../http/inputs.ts'
import { ADDRESS_EXAMPLE, HASH_EXAMPLE } from './request-schemas.ts'

/*
 * The chain API's responses, as the specification's tables name them: without transforms, so that what is written is
 * what is validated.
 */

const DECIMAL_PATTERN = '^(0|[1-9][0-9]*)$'

// --- Shared pieces of responses -------------------------------------------------------------------------------

const uint32 = z
  .int()
  .min(0)
  .max(UINT32_MAX)
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
export const prefixedAddress = z
  .string()
  .regex(/^0x[a-f0-9]{40}$/)
  .meta({ example: `0x${ADDRESS_EXAMPLE}` })
const prefixedHash = z
  .string()
  .regex(/^0x[a-f0-9]{64}$/)
  .meta({ id: 'Hash32', description: '32 bytes, lower case with `0x`.', example: `0x${HASH_EXAMPLE}` })
export const hexBytes = z.string().regex(/^0x([a-f0-9]{2})*$/)
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
      .regex(/^[0-9]{39}$/)
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
