import { keccak256 } from 'viem/utils'
import type { BuiltConnector, ConnectorSummary, Leaf, Part } from './artifact.ts'
import { connectorContentHash } from './content-hash.ts'
import type { ConnectorDefinition } from './definition.ts'
import type { EntityKind, Hash } from './entity.ts'
import { Failure } from './failure.ts'
import {
  connectorDepth,
  connectorLeaves,
  countLeaves,
  finished,
  formatHashSteps,
  MAX_DEPTH,
  MAX_LEAVES,
} from './format-hash.ts'
import { encodeConnectorPayload } from './payload.ts'
import { references } from './references.ts'

type CodePart = Exclude<Part, ConnectorSummary>

/** Longest list in a connector. */
const MAX_COUNT = 65_535

/** Resolves a name to its current part. */
export type Lookup = (kind: EntityKind, name: string) => Part | undefined

/**
 * Builds a connector against the artifacts its names stand for, after the checks that the registry makes at
 * creation, in the registry's order. Whether the connector's own name is free is the caller's question.
 *
 * @throws Failure('invalid_request') for the first check that fails. The message starts with the name of the
 *   registry's error and the entity it is about, for instance `TransformationMissing: Ghost`.
 */
export function buildConnector(definition: ConnectorDefinition, lookup: Lookup): BuiltConnector {
  return finished(connectorSteps(definition, lookup))
}

/**
 * Builds the same, and yields between the parts of the work that may take long.
 *
 * @param knownHash Content hash of the connector, where it is proven already.
 * @throws Failure('invalid_request') as `buildConnector` does.
 */
export function* connectorSteps(
  definition: ConnectorDefinition,
  lookup: Lookup,
  knownHash?: Hash,
): Generator<void, BuiltConnector> {
  if (definition.dimensions.length === 0) refuse('dimensions is zero')
  checkTransformations(definition, lookup)
  checkComposites(definition, lookup)
  checkBindings(definition, lookup)
  checkStaticRi(definition)
  checkCondition(definition, lookup)
  checkCounts(definition)

  const connectorOf = (name: string) => lookup('connector', name) as ConnectorSummary
  const leavesOf = (name: string): readonly Leaf[] => connectorOf(name).leaves
  const leafCount = countLeaves(definition, leavesOf)
  if (leafCount > MAX_LEAVES) {
    refuse(`Connector ${definition.name} has ${leafCount} scalars, more than ${MAX_LEAVES}`)
  }
  const depth = connectorDepth(definition, (name) => connectorOf(name).depth)
  if (depth > MAX_DEPTH) {
    refuse(`Connector ${definition.name} nests ${depth} connectors deep, more than ${MAX_DEPTH}`)
  }

  const dependencies = references(definition).map(({ kind, name }) => ({
    kind,
    name,
    contentHash: lookup(kind, name)!.contentHash,
  }))
  const leaves = connectorLeaves(definition, leavesOf)
  const connectorNames = new Set(
    dependencies.filter(({ kind }) => kind === 'connector').map(({ name }) => name),
  )
  const unhashed = {
    kind: 'connector' as const,
    name: definition.name,
    definition,
    dependencies,
    leafCount,
    leaves,
    depth,
    formatHash: yield* formatHashSteps(leaves, [...connectorNames].map(connectorOf)),
  }
  return { ...unhashed, contentHash: knownHash ?? contentHash(unhashed) }
}

function contentHash(connector: Omit<BuiltConnector, 'contentHash'>): Hash {
  return connectorContentHash(
    connector.name,
    keccak256(encodeConnectorPayload(connector.definition)),
    connector.dependencies.map((dependency) => dependency.contentHash),
  )
}

function checkTransformations({ dimensions }: ConnectorDefinition, lookup: Lookup): void {
  for (const { transformations } of dimensions) {
    for (const { name, args } of transformations) {
      const part = lookup('transformation', name)
      if (part === undefined) refuse(`TransformationMissing: ${name}`)
      checkArguments('TransformationArgumentsMismatch', part as CodePart, args.length)
    }
  }
}

function checkComposites({ dimensions }: ConnectorDefinition, lookup: Lookup): void {
  for (const { composite } of dimensions) {
    if (composite !== '' && lookup('connector', composite) === undefined) {
      refuse(`ConnectorMissing: ${composite}`)
    }
  }
}

function checkBindings({ name: own, dimensions }: ConnectorDefinition, lookup: Lookup): void {
  dimensions.forEach(({ composite, bindings }, dimension) => {
    const mismatch = (why: string) =>
      refuse(`ConnectorDimensionsMismatch: ${own} (dimension ${dimension}: ${why})`)
    const slots = new Set<number>()
    for (const { slot, name } of bindings) {
      if (composite === '') mismatch('bindings need a composite')
      const open = (lookup('connector', composite) as ConnectorSummary).leaves.length
      if (slot >= open) mismatch(`slot ${slot} does not exist, ${composite} has ${count(open, 'slot')}`)
      if (name === '') mismatch(`slot ${slot} names no connector`)
      if (slots.has(slot)) mismatch(`slot ${slot} is bound twice`)
      slots.add(slot)
      if (lookup('connector', name) === undefined) refuse(`ConnectorMissing: ${name}`)
    }
  })
}

function checkStaticRi({ name, staticRi }: ConnectorDefinition): void {
  const positions = new Set<number>()
  for (const { position } of staticRi) {
    if (positions.has(position)) {
      refuse(`ConnectorDimensionsMismatch: ${name} (static position ${position} is given twice)`)
    }
    positions.add(position)
  }
}

function checkCondition({ conditionName, conditionArgs }: ConnectorDefinition, lookup: Lookup): void {
  if (conditionName === '') {
    if (conditionArgs.length > 0) refuse('ConditionArgumentsMismatch: arguments without a condition')
    return
  }
  const part = lookup('condition', conditionName)
  if (part === undefined) refuse(`ConditionMissing: ${conditionName}`)
  checkArguments('ConditionArgumentsMismatch', part as CodePart, conditionArgs.length)
}

/** Connector data on chain counts everything in 16 bits. */
function checkCounts({ name, dimensions, conditionArgs, staticRi }: ConnectorDefinition): void {
  const check = (length: number, thing: string) => {
    if (length > MAX_COUNT) refuse(`Connector ${name} has ${length} ${thing}, more than ${MAX_COUNT}`)
  }
  for (const { transformations } of dimensions) {
    check(transformations.length, 'transformations in a dimension')
    for (const { args } of transformations) check(args.length, 'arguments in a call')
  }
  check(conditionArgs.length, 'arguments of its condition')
  check(staticRi.length, 'static running instances')
}

function checkArguments(error: string, { name, argsCount }: CodePart, actualCount: number): void {
  if (actualCount !== argsCount)
    refuse(`${error}: ${name} (takes ${count(argsCount, 'argument')}, ${actualCount} given)`)
}

function count(amount: number, thing: string): string {
  return `${amount} ${thing}${amount === 1 ? '' : 's'}`
}

function refuse(message: string): never {
  throw new Failure('invalid_request', message)
}
