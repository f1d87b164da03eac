import type { BuiltArtifact, BuiltConnector, CodeArtifact } from '#lib/protocol/artifact.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import type { ConnectorDefinition, Dimension, TransformationCall } from '#lib/protocol/definition.ts'
import type { Address, Hex } from '#lib/protocol/entity.ts'
import { type Random, seededRandom, words } from './random.ts'

interface SeedCode {
  readonly kind: 'transformation' | 'condition'
  readonly argsCount: number
  readonly runtime: Hex
}

/** Code that is never run: what lists and pages cost does not depend on it. */
const TRANSFORMATION_CODE: readonly SeedCode[] = [
  { kind: 'transformation', argsCount: 1, runtime: '0x00' },
  { kind: 'transformation', argsCount: 2, runtime: '0x01' },
]
const CONDITION_CODE: SeedCode = { kind: 'condition', argsCount: 1, runtime: '0x02' }

export interface Publication {
  readonly artifact: BuiltArtifact
  readonly owner: Address
}

const CONDITIONS = 0.04
const TRANSFORMATIONS = 0.31
const COMPOSITES = 0.5
/** Connectors that others are built over. */
const BASES = 400
/** Transformations at the beginning that most connectors use. */
const COMMON = 24

/** Account `index` of the generated ones. */
export function accountOf(index: number): Address {
  return `0x${(index + 0xacc0_0000_0000).toString(16).padStart(40, '0')}`
}

/** Hash of the bundle of World `index` of those that pieces name. */
export function worldHash(_: unknown, index: number): string {
  return index.toString(16).padStart(64, '0')
}

export function ownersOf(entities: number): number {
  return Math.max(2, Math.floor(entities / 20))
}

/**
 * Publications in an order in which they could have been made, each built by the rules of the registry: a few
 * accounts, transformations and formats have most of everything, and many have little.
 */
export function* growNetwork(entities: number): Generator<Publication> {
  const random = seededRandom(1)
  const owners = ownersOf(entities)
  const transformations: CodeArtifact[] = []
  const conditions: CodeArtifact[] = []
  const bases: BuiltConnector[] = []
  const find = (kind: string, name: string): BuiltArtifact | undefined => known.get(`${kind}/${name}`)
  const known = new Map<string, BuiltArtifact>()

  for (let index = 0; index < entities; index++) {
    const name = `${words(random)}_${index.toString(36)}`
    const share = random.next()
    let artifact: BuiltArtifact
    if (index < COMMON || share < TRANSFORMATIONS) {
      const made = codeOf(random.pick(TRANSFORMATION_CODE), name)
      transformations.push(made)
      known.set(`transformation/${name}`, made)
      artifact = made
    } else if (index < COMMON + 2 || share < TRANSFORMATIONS + CONDITIONS) {
      const made = codeOf(CONDITION_CODE, name)
      conditions.push(made)
      known.set(`condition/${name}`, made)
      artifact = made
    } else {
      const over =
        bases.length > 0 && random.next() < COMPOSITES ? bases[random.popular(bases.length)] : undefined
      const made = buildConnector(definitionOf(random, name, { over, transformations, conditions }), find)
      if (over === undefined && bases.length < BASES && made.leaves.length < 3) {
        bases.push(made)
        known.set(`connector/${name}`, made)
      }
      artifact = made
    }
    yield { artifact, owner: accountOf(random.popular(owners)) }
  }
}

function codeOf({ kind, argsCount, runtime }: SeedCode, name: string): CodeArtifact {
  return { kind, name, argsCount, runtime, contentHash: codeContentHash(kind, name, argsCount, runtime) }
}

interface Parts {
  readonly over: BuiltConnector | undefined
  readonly transformations: readonly CodeArtifact[]
  readonly conditions: readonly CodeArtifact[]
}

function definitionOf(random: Random, name: string, parts: Parts): ConnectorDefinition {
  const { over, transformations, conditions } = parts
  const call = (from: readonly CodeArtifact[], index: number): TransformationCall => {
    const { name: called, argsCount } = from[index]!
    return { name: called, args: Array.from({ length: argsCount }, () => 1 + random.whole(9)) }
  }
  const scalar = (): Dimension => {
    const common = random.next() < 0.7
    const index = common
      ? random.popular(Math.min(COMMON, transformations.length))
      : random.whole(transformations.length)
    return { transformations: [call(transformations, index)], composite: '', bindings: [] }
  }
  const dimensions: Dimension[] =
    over === undefined
      ? Array.from({ length: 1 + random.whole(3) }, scalar)
      : [
          {
            transformations: [call(transformations, random.popular(transformations.length))],
            composite: over.name,
            bindings: [],
          },
        ]
  const condition = random.next() < 0.1 ? conditions[random.popular(conditions.length)] : undefined
  return {
    name,
    dimensions,
    conditionName: condition?.name ?? '',
    conditionArgs: Array.from({ length: condition?.argsCount ?? 0 }, () => 1 + random.whole(9)),
    staticRi: [],
  }
}
