import type { Artifact } from '../domain/artifact.ts'
import { codeContentHash } from '../domain/content-hash.ts'
import { buildConnector } from '../domain/creation-checks.ts'
import type { ConnectorDefinition } from '../domain/definition.ts'
import type { EntityKind, Hash, Hex } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { decodePayload } from '../domain/payload.ts'
import { references } from '../domain/references.ts'
import { codeDefinition } from './code-definition.ts'
import type { Occurrence } from './occurrence.ts'
import type { WriterSql } from './writer.ts'

/**
 * The artifact of a publication, from the chain alone and verified against the content hash that the registry
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
  for (const payload of occurrence.payloads) {
    const artifact = await fromPayload(sql, occurrence, payload)
    if (artifact) return artifact
  }
  return occurrence.code === undefined ? undefined : fromCode(sql, occurrence, occurrence.code)
}

/** Whatever is stored under a content hash was verified when it was stored. */
const storedArtifact = async (sql: WriterSql, hash: Hash): Promise<Artifact | undefined> => {
  const [row] = await sql<{ body: Artifact }[]>`select body from artifacts where content_hash = ${hash}`
  return row?.body
}

const fromPayload = async (
  sql: WriterSql,
  { event }: Occurrence,
  payload: Hex,
): Promise<Artifact | undefined> => {
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
): Promise<Artifact | undefined> => {
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
): Artifact | undefined =>
  codeContentHash(kind, name, argsCount, runtime) === expected
    ? { kind, name, argsCount, runtime, contentHash: expected }
    : undefined

const connector = async (
  sql: WriterSql,
  definition: ConnectorDefinition,
  expected: Hash,
): Promise<Artifact | undefined> => {
  const artifacts = await registeredArtifacts(sql, definition)
  try {
    const artifact = buildConnector(definition, (kind, name) => artifacts.get(`${kind}/${name}`))
    return artifact.contentHash === expected ? artifact : undefined
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** Artifacts of everything a definition names, as registered so far. */
const registeredArtifacts = async (
  sql: WriterSql,
  definition: ConnectorDefinition,
): Promise<ReadonlyMap<string, Artifact>> => {
  const names: Record<EntityKind, Set<string>> = {
    connector: new Set(),
    transformation: new Set(),
    condition: new Set(),
  }
  for (const { kind, name } of references(definition)) names[kind].add(name)
  const rows = await sql<{ kind: EntityKind; name: string; body: Artifact }[]>`
    select e.kind, e.name, a.body from entities e join artifacts a on a.content_hash = e.artifact_hash
    where (e.kind = 'connector' and e.name = any(${[...names.connector]}))
       or (e.kind = 'transformation' and e.name = any(${[...names.transformation]}))
       or (e.kind = 'condition' and e.name = any(${[...names.condition]}))`
  return new Map(rows.map(({ kind, name, body }) => [`${kind}/${name}`, body]))
}
