import {
  type Artifact,
  type BuiltArtifact,
  type BuiltConnector,
  type CodeArtifact,
  withoutLeaves,
} from '../domain/artifact.ts'
import { codeContentHash } from '../domain/content-hash.ts'
import { buildConnector, type Lookup } from '../domain/creation-checks.ts'
import type { ConnectorDefinition } from '../domain/definition.ts'
import type { Hash, Hex } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { decodePayload } from '../domain/payload.ts'
import { references } from '../domain/references.ts'
import { lookupIn, type Named } from '../registry/load-dependencies.ts'
import { storeArtifact } from '../registry/store-artifact.ts'
import { codeDefinition } from './code-definition.ts'
import type { Occurrence } from './occurrence.ts'
import type { WriterSql } from './writer.ts'

/**
 * Stores the artifact of a publication, from the chain alone and verified against the content hash that the registry
 * checked. Runs in the batch's transaction: a connector is built against what was registered before it.
 *
 * @returns undefined when nothing that the chain shows gives the content hash.
 */
export const rebuildArtifact = async (
  sql: WriterSql,
  occurrence: Occurrence,
): Promise<Artifact | undefined> => {
  const known = await storedArtifact(sql, occurrence.event.contentHash)
  if (known) return known
  const built = await build(sql, occurrence)
  if (built === undefined) return undefined
  await storeArtifact(sql, built)
  return withoutLeaves(built)
}

const build = async (sql: WriterSql, occurrence: Occurrence): Promise<BuiltArtifact | undefined> => {
  for (const payload of occurrence.payloads) {
    const artifact = await fromPayload(sql, occurrence, payload)
    if (artifact) return artifact
  }
  return occurrence.code === undefined ? undefined : fromCode(sql, occurrence, occurrence.code)
}

/** Whatever is stored under a content hash was verified when it was stored. */
const storedArtifact = async (sql: WriterSql, hash: Hash): Promise<Artifact | undefined> => {
  const [row] = await sql<{ body: Artifact }[]>`
    select body - 'leaves' as body from artifacts where content_hash = ${hash}`
  return row?.body
}

const fromPayload = async (
  sql: WriterSql,
  { event }: Occurrence,
  payload: Hex,
): Promise<BuiltArtifact | undefined> => {
  try {
    const decoded = decodePayload(event.kind, event.name, payload)
    if (decoded.kind === 'connector') return await connector(sql, decoded.definition, event.contentHash)
    return code(decoded.kind, decoded.name, decoded.argsCount, decoded.runtime, event.contentHash)
  } catch {
    return undefined
  }
}

/** The deployed code is the runtime itself; only the number of arguments is not in it, and few are possible. */
const fromCode = async (
  sql: WriterSql,
  { event }: Occurrence,
  deployed: Hex,
): Promise<BuiltArtifact | undefined> => {
  const { kind, name, contentHash } = event
  if (kind === 'connector') {
    const definition = await codeDefinition(sql, name, deployed)
    return definition && connector(sql, definition, contentHash)
  }
  for (let argsCount = 0; argsCount <= MAX_GUESSED_ARGUMENTS; argsCount++) {
    const artifact = code(kind, name, argsCount, deployed, contentHash)
    if (artifact) return artifact
  }
  return undefined
}

const MAX_GUESSED_ARGUMENTS = 256

const code = (
  kind: 'transformation' | 'condition',
  name: string,
  argsCount: number,
  runtime: Hex,
  expected: Hash,
): CodeArtifact | undefined =>
  codeContentHash(kind, name, argsCount, runtime) === expected
    ? { kind, name, argsCount, runtime, contentHash: expected }
    : undefined

const connector = async (
  sql: WriterSql,
  definition: ConnectorDefinition,
  expected: Hash,
): Promise<BuiltConnector | undefined> => {
  try {
    const artifact = buildConnector(definition, await registeredParts(sql, definition))
    return artifact.contentHash === expected ? artifact : undefined
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** Everything a definition names, as registered so far. */
const registeredParts = async (sql: WriterSql, definition: ConnectorDefinition): Promise<Lookup> => {
  const used = new Map(references(definition).map((each) => [`${each.kind}/${each.name}`, each]))
  const all = [...used.values()]
  const rows = await sql<Named[]>`
    select used.kind, used.name, e.artifact_hash as content_hash
    from unnest(${all.map(({ kind }) => kind)}::text[], ${all.map(({ name }) => name)}::text[]) as used(kind, name)
    join entities e on e.kind = used.kind and e.name = used.name
    where e.artifact_hash is not null`
  return lookupIn(sql, rows)
}
