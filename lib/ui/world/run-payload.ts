import type { Provenance } from '#lib/core/entities/execution/run-on-chain.ts'
import {
  type ParticleStream,
  PROTOCOL_VERSION,
  type WorldStatePayload,
} from '#lib/core/worlds/sdk/protocol.ts'
import type { Leaf } from '#lib/protocol/artifact.ts'
import type { PositionedRunningInstance } from '#lib/protocol/definition.ts'
import { startsWire } from '#lib/protocol/definition-wire.ts'
import type { Address, Hash } from '#lib/protocol/entity.ts'
import { formatHash } from '#lib/protocol/format-hash.ts'
import { bareHash } from '#lib/protocol/hash.ts'
import { type BoundSet, scalarsOf } from '#lib/protocol/world-slots.ts'
import type { RunPayload } from '#lib/studio/runs/run.ts'

/** A run that a World is to draw. */
export interface DrawnRun {
  readonly connector: string
  readonly count: number
  readonly streams: readonly ParticleStream[]
  readonly dynamicRi: readonly PositionedRunningInstance[]
  /** Undefined where the page does not know it. */
  readonly formatHash: Hash | undefined
  /** Undefined for a draft. */
  readonly address: Address | undefined
  /** Provenance of a run on chain; absent for a simulation. */
  readonly provenance?: Pick<Provenance, 'blockNumber' | 'blockHash' | 'runner' | 'registry'> | undefined
}

/** The state message of a run, with the fields that Worlds of all SDK versions read. */
export function runPayload(
  { connector, count, streams, dynamicRi, formatHash, address, provenance }: DrawnRun,
  surface: RunPayload['surface'] = 'world-page',
): RunPayload {
  return {
    surface,
    connectorName: connector,
    connectorNames: [connector],
    ...(address !== undefined && { connectorAddress: address }),
    ...(formatHash !== undefined && { connectorFormatHash: bareHash(formatHash) }),
    // What the studio runs is what is selected there.
    ...(surface === 'studio-plugin' && {
      selectedConnectorContextNames: [connector],
      selectedConnectorContextPathPrefixes: [`/${connector}:*`],
    }),
    particlesCount: count,
    executionMode: provenance ? 'execute' : 'simulate',
    ...(provenance && {
      executionProvenance: {
        block_number: provenance.blockNumber,
        block_hash: provenance.blockHash,
        runner: provenance.runner,
        registry: provenance.registry,
      },
    }),
    executeOutput: streams,
    dynamicRiInput: startsWire(dynamicRi),
  }
}

/** Format of a connector all of whose streams are here: its scalars are the ends of their paths. */
export function formatOf(streams: readonly Pick<ParticleStream, 'path'>[]): Hash {
  return formatHash(scalarsOf(streams).map(leafOf))
}

/** Cache of leaves by label: one object for each scalar, whose digest is cached by object. */
const leaves = new Map<string, Leaf>()
const MAX_KNOWN_LEAVES = 16_384

function leafOf(label: string): Leaf {
  const cached = leaves.get(label)
  if (cached !== undefined) return cached
  const end = label.lastIndexOf(':')
  const leaf = { connector: label.slice(0, end), dimension: Number(label.slice(end + 1)) }
  if (leaves.size >= MAX_KNOWN_LEAVES) leaves.clear()
  leaves.set(label, leaf)
  return leaf
}

/** The state message with what names the World and what it is shown. */
export function addressed(
  world: { readonly id: string; readonly name: string },
  payload: RunPayload,
): WorldStatePayload {
  return {
    protocolVersion: PROTOCOL_VERSION,
    worldId: world.id,
    label: `${world.name}: ${payload.connectorName}`,
    ...payload,
  }
}

/**
 * A run with those that feed the other slots of a World: `executeOutput` has the streams of all, `connectorBindings`
 * those of each slot.
 *
 * @param others By name of the connector; what is not there feeds nothing.
 */
export function withSlots(
  payload: RunPayload,
  { index, slots }: BoundSet,
  others: ReadonlyMap<string, readonly ParticleStream[]>,
): RunPayload {
  const own = payload.executeOutput
  // What another connector was chosen for is not drawn of this one as well.
  const replaced = new Set(slots.flatMap(({ slot, itself, chosen }) => (chosen && !itself ? [slot] : [])))
  const ownStreams = own.filter(({ path }) => !replaced.has(endOf(path)))
  const bindings = slots.flatMap(({ slot, optional, connector, itself }) => {
    if (connector === undefined) return []
    const ends = own.filter(({ path }) => endOf(path) === slot)
    const streams = itself ? (ends.length > 0 ? ends : ownStreams) : others.get(connector)
    return streams ? [{ slot, optional, connectorName: connector, executeOutput: streams }] : []
  })
  const names = bindings.map(({ connectorName }) => connectorName)
  return {
    ...payload,
    connectorNames: [...new Set([payload.connectorName, ...names])],
    connectorSet: {
      index,
      connectors: slots.filter(({ optional }) => !optional).map(({ slot }) => slot),
      optionalConnectors: slots.filter(({ optional }) => optional).map(({ slot }) => slot),
    },
    connectorBindings: bindings,
    executeOutput: [...ownStreams, ...[...others.values()].flat()],
  }
}

/** The connector at the end of a path: `pitch` of `/melody:0/pitch:0`. */
function endOf(path: string): string {
  const last = path.slice(path.lastIndexOf('/') + 1)
  const colon = last.lastIndexOf(':')
  return colon < 0 ? last : last.slice(0, colon)
}
