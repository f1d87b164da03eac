import type { SimulationRequest } from '#lib/compute/simulator/simulator.ts'
import { compileBody } from '#lib/compute/solidity/compile-body.ts'
import type { BuiltArtifact } from '#lib/protocol/artifact.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import type { PositionedRunningInstance } from '#lib/protocol/definition.ts'
import { BODIES, CONNECTORS } from './shapes.ts'

/** Bodies and connectors of `shapes.ts`, compiled and built, in an order in which they can be published. */
export function buildArtifacts(): ReadonlyMap<string, BuiltArtifact> {
  const built = new Map<string, BuiltArtifact>()
  for (const [name, body] of Object.entries(BODIES)) {
    const compiled = compileBody('transformation', body)
    if (compiled.status !== 'compiled') throw new Error(`${name}: ${JSON.stringify(compiled)}`)
    const { argsCount, runtime } = compiled
    const contentHash = codeContentHash('transformation', name, argsCount, runtime)
    built.set(`transformation/${name}`, { kind: 'transformation', name, argsCount, runtime, contentHash })
  }
  for (const definition of CONNECTORS) {
    const artifact = buildConnector(definition, (kind, name) => built.get(`${kind}/${name}`))
    built.set(`connector/${definition.name}`, artifact)
  }
  return built
}

/** A run of a connector, with no more artifacts than it needs. */
export function runOf(
  artifacts: ReadonlyMap<string, BuiltArtifact>,
  connector: string,
  particlesCount: number,
  dynamicRi: readonly PositionedRunningInstance[],
): SimulationRequest {
  const needed = new Map<string, BuiltArtifact>()
  const visit = (kind: string, name: string): void => {
    const artifact = artifacts.get(`${kind}/${name}`)
    if (artifact === undefined) throw new Error(`There is no ${kind} ${name}`)
    if (needed.has(artifact.contentHash)) return
    needed.set(artifact.contentHash, artifact)
    if (artifact.kind === 'connector') for (const part of artifact.dependencies) visit(part.kind, part.name)
  }
  visit('connector', connector)
  const root = artifacts.get(`connector/${connector}`)!.contentHash
  return { root, artifacts: [...needed.values()], particlesCount, dynamicRi }
}

/**
 * Running instances that no earlier round had, of every position that allows one: a run unlike those before it, so
 * that no cache of results or sequences answers it. What leads to other connectors begins low, because its values are
 * indices and large ones are work.
 */
export function freshStarts(
  artifacts: ReadonlyMap<string, BuiltArtifact>,
  connector: string,
  round: number,
): PositionedRunningInstance[] {
  const starts: PositionedRunningInstance[] = []
  let position = 0
  const visit = (name: string): void => {
    const artifact = artifacts.get(`connector/${name}`)
    if (artifact?.kind !== 'connector') throw new Error(`There is no connector ${name}`)
    for (const { composite } of artifact.definition.dimensions) {
      position += 1
      const startPoint =
        composite === ''
          ? 1 + ((round * 7919 + position * 104_729) % 1_000_003)
          : (round * 31 + position) % 509
      starts.push({ position, startPoint, transformationShift: 0 })
      if (composite !== '') visit(composite)
    }
  }
  visit(connector)
  return starts
}
