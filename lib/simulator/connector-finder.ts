import type { Artifact, ConnectorArtifact } from '../domain/artifact.ts'
import type { Hash } from '../domain/entity.ts'

/** The connectors of a self-contained request. */
export function connectorFinder(request: { readonly root: Hash; readonly artifacts: readonly Artifact[] }): {
  readonly root: ConnectorArtifact
  readonly artifactOf: (hash: Hash) => ConnectorArtifact
} {
  const connectors = new Map<Hash, ConnectorArtifact>()
  for (const artifact of request.artifacts) {
    if (artifact.kind === 'connector') connectors.set(artifact.contentHash, artifact)
  }
  const artifactOf = (hash: Hash): ConnectorArtifact => {
    const found = connectors.get(hash)
    if (found === undefined) throw new Error(`The request lacks the connector ${hash}`)
    return found
  }
  return { root: artifactOf(request.root), artifactOf }
}
