import type { ChainAccess } from '../chain/access.ts'
import { registryEntries } from '../chain/registry-reads.ts'
import type { Artifact, Dependency } from '../domain/artifact.ts'
import { Failure } from '../domain/failure.ts'

/**
 * Requires that everything a connector names is registered with the artifact the connector was built against. The
 * content hash covers both, so that the registry would refuse it too, but with less to say.
 *
 * @throws Failure('dependency_conflict') with `missing` and `mismatched`, each `<kind>/<name>` in order of use.
 */
export const checkDependencies = async (chain: ChainAccess, artifact: Artifact): Promise<void> => {
  if (artifact.kind !== 'connector') return
  const distinct = new Map<string, Dependency>()
  for (const dependency of artifact.dependencies) {
    distinct.set(`${dependency.kind}/${dependency.name}`, dependency)
  }
  const wanted = [...distinct]
  const entries = await registryEntries(
    chain,
    wanted.map(([, dependency]) => dependency),
  )
  const missing: string[] = []
  const mismatched: string[] = []
  wanted.forEach(([label, { contentHash }], index) => {
    const entry = entries[index]
    if (entry === undefined) missing.push(label)
    else if (entry.contentHash !== contentHash) mismatched.push(label)
  })
  if (missing.length === 0 && mismatched.length === 0) return
  throw new Failure('dependency_conflict', explain(missing, mismatched), {
    ...(missing.length > 0 && { missing }),
    ...(mismatched.length > 0 && { mismatched }),
  })
}

const explain = (missing: readonly string[], mismatched: readonly string[]): string =>
  [
    missing.length > 0 ? `Dependencies must be published first: ${missing.join(', ')}` : '',
    mismatched.length > 0
      ? `Dependencies are registered with another artifact; create the connector again to use it: ${mismatched.join(', ')}`
      : '',
  ]
    .filter((sentence) => sentence !== '')
    .join('. ')
