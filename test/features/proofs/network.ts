import { collectCertificate, type NamesOf, type RunToCertify } from '#lib/features/proofs/checker/collect.ts'
import { nodeAt } from '#lib/features/proofs/checker/node.ts'
import type { Source } from '#lib/features/proofs/checker/sources.ts'
import type { Artifact, BuiltArtifact } from '#lib/protocol/artifact.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import type { PositionedRunningInstance } from '#lib/protocol/definition.ts'
import type { Hex } from '#lib/protocol/entity.ts'
import { references } from '#lib/protocol/references.ts'
import compiledBodies from '#test/fixtures/compiled-bodies.json' with { type: 'json' }
import { type ConnectorSketch, Shelf } from '#test/support/definitions.ts'
import { startTestRegistry } from '#test/support/registry-chain.ts'

export type ProvenNetwork = Awaited<ReturnType<typeof startProvenNetwork>>

/** Runtime of a body, compiled before: compiling takes most of a slow machine's time. */
function compiled(body: string): Hex {
  const runtime = (compiledBodies as Readonly<Record<string, string>>)[body]
  if (runtime === undefined) throw new Error(`the fixture has no body ${body}`)
  return runtime as Hex
}

/** Arguments and code of each name. */
const TRANSFORMATIONS: Readonly<Record<string, readonly [number, Hex]>> = {
  add: [1, compiled('return x + args[0];')],
  mix: [0, compiled('x ^= x << 13; x ^= x >> 17; x ^= x << 5; return x;')],
  powers: [1, compiled('return uint32(uint256(args[0]) ** (x % 8));')],
  hashed: [0, compiled('return uint32(uint256(keccak256(abi.encode(x))));')],
  strict: [1, compiled('require(x < args[0], "too large"); return x + 1;')],
  cycle: [2, compiled('return (x + args[0]) % args[1];')],
  halve: [0, compiled('if (x % 2 == 0) return x / 2; return x + 1;')],
  timed: [0, compiled('return x + uint32(block.number);')],
  // Returns its own address, by hand: ADDRESS.
  placed: [0, '0x3060005260206000f3'],
}
const CONDITIONS: Readonly<Record<string, readonly [number, Hex]>> = {
  // args[0] >= args[1], by hand: CALLDATALOAD twice, SLT, ISZERO.
  at_least: [2, '0x606435604435121560005260206000f3'],
}

function call(name: string, ...args: number[]) {
  return { transformations: [{ name, args }] }
}

const CONNECTORS: readonly ConnectorSketch[] = [
  { name: 'pair', dimensions: [call('add', 1), call('mix')] },
  {
    name: 'tree',
    dimensions: [
      { ...call('powers', 2), composite: 'pair', bindings: { 1: 'pair' } },
      { transformations: [{ name: 'hashed' }, { name: 'mix' }, { name: 'add', args: [7] }] },
    ],
    condition_name: 'at_least',
    condition_args: [3, -2],
    static_ri: { 1: { start_point: 5, transformation_shift: 0 } },
  },
  // Ten entities with what is in it.
  {
    name: 'grove',
    dimensions: [{ ...call('cycle', 3, 24), composite: 'tree' }, call('halve')],
  },
  { name: 'clock', dimensions: [call('timed'), call('add', 2)] },
  { name: 'here', dimensions: [call('placed')] },
  { name: 'never', dimensions: [call('add', 1)], condition_name: 'at_least', condition_args: [-1, 0] },
  { name: 'fenced', dimensions: [call('strict', 5)] },
]

/** Publishes the connectors on a chain of their own; with what certifies their runs. */
export async function startProvenNetwork() {
  const registry = await startTestRegistry()
  const shelf = new Shelf()
  const publish = async <A extends BuiltArtifact>(artifact: A): Promise<void> => {
    await registry.publish(shelf.add(artifact) as Artifact)
  }
  for (const [kind, codes] of [
    ['transformation', TRANSFORMATIONS],
    ['condition', CONDITIONS],
  ] as const) {
    for (const [name, [argsCount, runtime]] of Object.entries(codes)) {
      const contentHash = codeContentHash(kind, name, argsCount, runtime)
      await publish({ kind, name, argsCount, runtime, contentHash })
    }
  }
  for (const sketch of CONNECTORS) await publish(shelf.connector(sketch))
  const { chain } = registry
  await chain.rpc('anvil_mine', ['0x6'])

  const namesOf: NamesOf = async (name) => {
    const artifact = shelf.lookup('connector', name)
    if (artifact?.kind !== 'connector') throw new Error(`no connector ${name}`)
    const used = references(artifact.definition)
    const below = await Promise.all(
      used.filter(({ kind }) => kind === 'connector').map((one) => namesOf(one.name)),
    )
    return [{ kind: 'connector' as const, name }, ...used, ...below.flat()]
  }
  const source = (name = 'a.example', url = chain.url): Source => ({ name, ask: nodeAt(url) })
  const run = (connector: string, options: Partial<RunToCertify> = {}): RunToCertify => ({
    registry: chain.registry.toLowerCase() as `0x${string}`,
    runner: chain.runner.toLowerCase() as `0x${string}`,
    connector,
    count: 16,
    starts: [],
    shownResult: undefined,
    ...options,
  })
  return {
    registry,
    namesOf,
    source,
    /** Publishes one more connector, in a block of its own. */
    publish: (sketch: ConnectorSketch) => publish(shelf.connector(sketch)),
    run,
    certify: async (
      connector: string,
      options?: Partial<RunToCertify>,
      sources: readonly Source[] = [source(), source('b.example')],
    ) => (await collectCertificate(run(connector, options), sources, namesOf)).text,
    close: () => registry.close(),
  }
}

/** A start at a position. */
export function start(position: number, startPoint: number): PositionedRunningInstance {
  return { position, startPoint, transformationShift: 0 }
}
