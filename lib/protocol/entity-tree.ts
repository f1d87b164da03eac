import { bytesToHex } from 'viem/utils'
import { type Artifact, type BuiltArtifact, type BuiltConnector, withoutLeaves } from './artifact.ts'
import { type ConnectorCode, decodeConnectorCode } from './connector-code.ts'
import { codeContentHash } from './content-hash.ts'
import { buildConnector } from './creation-checks.ts'
import type { ConnectorDefinition } from './definition.ts'
import { type Address, type EntityKind, type Hash, KIND_CODE } from './entity.ts'
import { entityAddress } from './entity-address.ts'
import { Failure } from './failure.ts'
import { quoted, Refusal } from './refusal.ts'

/** An entity with the code that stands at its address. */
export interface ProvenEntity {
  readonly kind: EntityKind
  readonly name: string
  readonly code: Uint8Array
}

/** A connector and everything below it, as its code says. */
export interface Tree {
  readonly root: BuiltConnector
  /** The artifacts as built, each after what it uses; the root last. */
  readonly built: readonly BuiltArtifact[]
  readonly artifacts: readonly Artifact[]
  /** Addresses of the artifacts, in their order. */
  readonly addresses: readonly Address[]
  /** By address, each once; the root first. */
  readonly entities: ReadonlyMap<Address, ProvenEntity>
}

/**
 * Reads a tree from code alone. The registry gives each entity an address that follows from its kind, name and code, and
 * a connector's data holds the addresses of what it uses: so the address of the root fixes every byte below it.
 *
 * @throws Refusal when something is missing, left over, or not what the data says.
 */
export function readTree(registry: Address, provenEntities: readonly ProvenEntity[]): Tree {
  const entities = new Map<Address, ProvenEntity>()
  const names = new Set<string>()
  for (const entity of provenEntities) {
    const address = entityAddress(registry, KIND_CODE[entity.kind], entity.name, entity.code)
    const key = `${entity.kind}/${entity.name}`
    if (names.has(key))
      throw new Refusal('tree_twice', `The file has ${entity.kind} ${quoted(entity.name)} twice.`)
    names.add(key)
    entities.set(address, entity)
  }
  const reader = new TreeReader(entities)
  const [first] = provenEntities
  if (first?.kind !== 'connector')
    throw new Refusal('tree_root', 'The first entity of the file is no connector.')
  const root = reader.connector([...entities.keys()][0] as Address, first.name)
  const unusedEntry = [...entities].find(([address]) => !reader.built.has(address))
  if (unusedEntry !== undefined) {
    const [, { kind, name }] = unusedEntry
    throw new Refusal(
      'tree_superfluous',
      `The file has ${kind} ${quoted(name)}, which ${quoted(first.name)} does not use.`,
    )
  }
  const built = [...reader.built.values()]
  const artifacts = built.map((each) => withoutLeaves(each))
  return { root, built, artifacts, addresses: [...reader.built.keys()], entities }
}

const MAX_DEPTH = 256

class TreeReader {
  readonly built = new Map<Address, BuiltArtifact>()
  readonly #entities: ReadonlyMap<Address, ProvenEntity>
  #depth = 0

  constructor(entities: ReadonlyMap<Address, ProvenEntity>) {
    this.#entities = entities
  }

  connector(address: Address, user: string): BuiltConnector {
    const artifact = this.built.get(address)
    if (artifact?.kind === 'connector') return artifact
    const { name, code } = this.#entity(address, 'connector', user)
    if (++this.#depth > MAX_DEPTH)
      throw new Refusal('tree_data', `The data of connector ${quoted(name)} nest too deep.`)
    const data = readData(name, code)
    if (data.name !== name) {
      throw new Refusal('tree_name', `The data of connector ${quoted(name)} hold another name.`)
    }
    const partByKey = new Map<string, BuiltArtifact>()
    const use = <T extends BuiltArtifact>(part: T): T => {
      partByKey.set(`${part.kind}/${part.name}`, part)
      return part
    }
    const calls = data.dimensions.map((dimension) =>
      dimension.calls.map(({ address: at, args }) => ({
        name: use(this.#code(at, 'transformation', args.length, name)).name,
        args,
      })),
    )
    const composites = data.dimensions.map(({ composite }) =>
      composite ? use(this.connector(composite.address, name)).name : '',
    )
    const bindings = data.dimensions.map(({ composite }) =>
      (composite?.bindings ?? []).map(({ slot, address: at }) => ({
        slot,
        name: use(this.connector(at, name)).name,
      })),
    )
    const { condition } = data
    const definition: ConnectorDefinition = {
      name,
      dimensions: calls.map((transformations, i) => ({
        transformations,
        composite: composites[i] as string,
        bindings: bindings[i] as { slot: number; name: string }[],
      })),
      conditionName: condition
        ? use(this.#code(condition.address, 'condition', condition.args.length, name)).name
        : '',
      conditionArgs: condition?.args ?? [],
      staticRi: data.staticRi,
    }
    this.#depth--
    // The Runner reads both in one pass, and a registry writes neither in another order.
    const inOrder = [data.staticRi.map(({ position }) => position), ...bindings.map(slotsOf)].every(ascends)
    if (!inOrder) throw malformed(name)
    const built = build(definition, partByKey)
    if (built.leafCount !== data.leafCount || built.depth !== data.depth) throw malformed(name)
    this.built.set(address, built)
    return built
  }

  #code(
    address: Address,
    kind: 'transformation' | 'condition',
    argsCount: number,
    user: string,
  ): BuiltArtifact {
    const artifact = this.built.get(address)
    if (artifact !== undefined && artifact.kind !== 'connector') {
      if (artifact.kind === kind && artifact.argsCount === argsCount) return artifact
      throw new Refusal(
        'tree_arguments',
        `${quoted(user)} gives ${quoted(artifact.name)} another number of arguments than others do.`,
      )
    }
    const { name, code } = this.#entity(address, kind, user)
    const runtime = bytesToHex(code)
    const contentHash: Hash = codeContentHash(kind, name, argsCount, runtime)
    const built = { kind, name, argsCount, runtime, contentHash }
    this.built.set(address, built)
    return built
  }

  #entity(address: Address, kind: EntityKind, user: string): ProvenEntity {
    const entity = this.#entities.get(address)
    if (entity === undefined) {
      throw new Refusal(
        'tree_missing',
        `Nothing in the file belongs at ${address}, which ${quoted(user)} uses: the tree is cut short, or code or a name was changed.`,
      )
    }
    if (entity.kind !== kind) {
      throw new Refusal(
        'tree_kind',
        `${quoted(user)} uses ${entity.kind} ${quoted(entity.name)} as a ${kind}.`,
      )
    }
    return entity
  }
}

function slotsOf(bindings: readonly { readonly slot: number }[]): number[] {
  return bindings.map(({ slot }) => slot)
}

function ascends(numbers: readonly number[]): boolean {
  return numbers.every((number, i) => i === 0 || number > (numbers[i - 1] as number))
}

function readData(name: string, code: Uint8Array): ConnectorCode {
  try {
    return decodeConnectorCode(bytesToHex(code))
  } catch {
    throw malformed(name)
  }
}

function build(
  definition: ConnectorDefinition,
  partByKey: ReadonlyMap<string, BuiltArtifact>,
): BuiltConnector {
  try {
    return buildConnector(definition, (kind, name) => partByKey.get(`${kind}/${name}`))
  } catch (error) {
    if (error instanceof Failure) throw malformed(definition.name)
    throw error
  }
}

function malformed(name: string): Refusal {
  return new Refusal('tree_data', `The data of connector ${quoted(name)} are not what a registry writes.`)
}
