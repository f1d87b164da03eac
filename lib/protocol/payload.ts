import { decodeAbiParameters, encodeAbiParameters } from 'viem/utils'
import type { Artifact } from './artifact.ts'
import type { ConnectorDefinition } from './definition.ts'
import type { EntityKind, Hex } from './entity.ts'

/** Publications that one request, and so one transaction, may name. */
export const MAX_BATCH = 64

/** ABI of the payload of a transformation or condition: argument count, runtime code. */
const CODE_PARAMETERS = [
  { name: 'argsCount', type: 'uint32' },
  { name: 'runtime', type: 'bytes' },
] as const

/** ABI of the payload of a connector: one `ConnectorDefinition` of `contracts/Types.sol`. */
const CONNECTOR_PARAMETERS = [
  {
    name: 'definition',
    type: 'tuple',
    components: [
      {
        name: 'dimensions',
        type: 'tuple[]',
        components: [
          {
            name: 'calls',
            type: 'tuple[]',
            components: [
              { name: 'name', type: 'string' },
              { name: 'args', type: 'uint32[]' },
            ],
          },
          { name: 'composite', type: 'string' },
          {
            name: 'bindings',
            type: 'tuple[]',
            components: [
              { name: 'slot', type: 'uint32' },
              { name: 'name', type: 'string' },
            ],
          },
        ],
      },
      { name: 'conditionName', type: 'string' },
      { name: 'conditionArgs', type: 'int32[]' },
      {
        name: 'staticRi',
        type: 'tuple[]',
        components: [
          { name: 'position', type: 'uint32' },
          { name: 'startPoint', type: 'uint32' },
          { name: 'transformationShift', type: 'uint32' },
        ],
      },
    ],
  },
] as const

export interface CodePayload {
  readonly kind: 'transformation' | 'condition'
  readonly name: string
  readonly argsCount: number
  readonly runtime: Hex
}

export interface ConnectorPayload {
  readonly kind: 'connector'
  readonly definition: ConnectorDefinition
}

/** The `payload` of the publication of an artifact: what its content hash covers besides kind, name and dependencies. */
export function encodePayload(artifact: Artifact): Hex {
  return artifact.kind === 'connector'
    ? encodeConnectorPayload(artifact.definition)
    : encodeAbiParameters(CODE_PARAMETERS, [artifact.argsCount, artifact.runtime])
}

/** The payload of a connector; its name travels beside the payload. */
export function encodeConnectorPayload(definition: ConnectorDefinition): Hex {
  const { conditionName, conditionArgs, staticRi } = definition
  const dimensions = definition.dimensions.map(({ transformations, composite, bindings }) => ({
    calls: transformations,
    composite,
    bindings,
  }))
  return encodeAbiParameters(CONNECTOR_PARAMETERS, [{ dimensions, conditionName, conditionArgs, staticRi }])
}

/**
 * Reads a payload back. Only the one canonical encoding is accepted: the bytes that `encodePayload` would write.
 *
 * @throws Error when the bytes are anything else.
 */
export function decodePayload(kind: EntityKind, name: string, payload: Hex): CodePayload | ConnectorPayload {
  const decoded =
    kind === 'connector' ? decodeConnector(name, payload) : { kind, name, ...decodeCode(payload) }
  const again =
    decoded.kind === 'connector'
      ? encodeConnectorPayload(decoded.definition)
      : encodeAbiParameters(CODE_PARAMETERS, [decoded.argsCount, decoded.runtime])
  if (again !== payload.toLowerCase()) throw new Error('the payload is not in its canonical encoding')
  return decoded
}

function decodeCode(payload: Hex): { argsCount: number; runtime: Hex } {
  const [argsCount, runtime] = decodeAbiParameters(CODE_PARAMETERS, payload)
  return { argsCount, runtime }
}

function decodeConnector(name: string, payload: Hex): ConnectorPayload {
  const [{ dimensions, conditionName, conditionArgs, staticRi }] = decodeAbiParameters(
    CONNECTOR_PARAMETERS,
    payload,
  )
  const definition: ConnectorDefinition = {
    name,
    dimensions: dimensions.map(({ calls, composite, bindings }) => ({
      transformations: calls,
      composite,
      bindings,
    })),
    conditionName,
    conditionArgs,
    staticRi,
  }
  return { kind: 'connector', definition }
}
