import { compileBody } from '#lib/compute/solidity/compile-body.ts'
import { createEngine, translators } from '#lib/engine/engine.ts'
import type { RunRequest } from '#lib/engine/run.ts'
import { type BuiltArtifact, type CodeArtifact, withoutLeaves } from '#lib/protocol/artifact.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import type { ParticleStream } from '#lib/protocol/particles.ts'
import { createConnectorRequest } from '#lib/server/operations/chain/request-schemas.ts'
import type { ExampleEntity } from './entity.ts'

/** Returns code of a body; throws where it does not compile. */
type Compile = (kind: CodeArtifact['kind'], body: string) => Pick<CodeArtifact, 'argsCount' | 'runtime'>

const LIMITS = { steps: 1_000_000_000, gas: 0n, milliseconds: 120_000 }

/** Runs entities of the example network without a chain. @returns streams of a connector. */
export function runsOffline(
  network: readonly ExampleEntity[],
  compile: Compile = compiled,
): (name: string, particles: number) => readonly ParticleStream[] {
  const artifacts = new Map<string, BuiltArtifact>()
  for (const { kind, name, request } of network) {
    if (kind === 'connector') {
      const definition = createConnectorRequest.parse(request)
      artifacts.set(
        `${kind}/${name}`,
        buildConnector(definition, (part, of) => artifacts.get(`${part}/${of}`)),
      )
      continue
    }
    const { argsCount, runtime } = compile(kind, String(request.sol_src))
    const contentHash = codeContentHash(kind, name, argsCount, runtime)
    artifacts.set(`${kind}/${name}`, { kind, name, argsCount, runtime, contentHash })
  }
  const engine = createEngine({ translators, withoutGas: true })
  const all = [...artifacts.values()].map(withoutLeaves)
  return (name, particlesCount) => {
    const root = artifacts.get(`connector/${name}`)?.contentHash
    if (root === undefined) throw new Error(`There is no connector ${name}`)
    const request: RunRequest = { root, artifacts: all, particlesCount, dynamicRi: [] }
    const outcome = engine.runNow(request, LIMITS)
    if (outcome.status !== 'returned') throw new Error(`${name}: ${JSON.stringify(outcome)}`)
    return outcome.particles
  }
}

function compiled(kind: CodeArtifact['kind'], body: string): ReturnType<Compile> {
  const outcome = compileBody(kind, body)
  if (outcome.status !== 'compiled') throw new Error(`${body} does not compile: ${JSON.stringify(outcome)}`)
  return outcome
}
