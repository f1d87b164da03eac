import type { Artifact } from '../domain/artifact.ts'
import { encodeConnectorCode } from '../domain/connector-code.ts'
import type { Address, EntityKind, Hash, Hex } from '../domain/entity.ts'

/**
 * Where an artifact lives inside a simulation. Derived from its content, so that a connector finds the very
 * artifacts it was built against, whatever else carries their names.
 */
export const simulatedAddress = (contentHash: Hash): Address => `0x${contentHash.slice(-40)}`

/** The code that stands at `simulatedAddress` of an artifact: what the registry would have put on chain. */
export function simulatedCode(artifact: Artifact): Hex {
  if (artifact.kind !== 'connector') return artifact.runtime
  const addresses = new Map(
    artifact.dependencies.map((d) => [`${d.kind}/${d.name}`, simulatedAddress(d.contentHash)] as const),
  )
  const addressOf = (kind: EntityKind, name: string): Address => {
    const address = addresses.get(`${kind}/${name}`)
    if (address === undefined)
      throw new Error(`${artifact.name} does not list its dependency ${kind}/${name}`)
    return address
  }
  return encodeConnectorCode(artifact.definition, addressOf, artifact.leafCount, artifact.depth)
}
