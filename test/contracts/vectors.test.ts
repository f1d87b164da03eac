import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import type { PositionedRunningInstance } from '#lib/protocol/definition.ts'
import { encodeConnectorPayload } from '#lib/protocol/payload.ts'
import { compileOnce } from '#test/support/compiled-bodies.ts'
import { define } from '#test/support/definitions.ts'
import { dynamicRiOf, type VectorCase, vectorCases } from '#test/support/vectors.ts'
import { startNode, streams, type TestNetwork, type TestNode } from './network.ts'

type Created = VectorCase['connectors'][number]
type Executed = VectorCase['execute'][number]

/** The recorded behaviour of the original contracts, on ours: every entity published, every run on chain. */
describe('recorded cases', () => {
  let node: TestNode
  beforeAll(async () => {
    node = await startNode()
  })
  afterAll(() => node.close())

  test.each(vectorCases.map((one) => [one.id, one] as const))('%s', async (_id, one) => {
    const network = await node.deploy()
    for (const kind of ['transformation', 'condition'] as const) {
      for (const { request, expected } of one[`${kind}s`]) {
        const { runtime } = compileOnce(kind, request.sol_src)
        // The recorded count comes from a text scan; here it only has to reach the registry.
        const { args_count: argsCount } = expected!
        const contentHash = codeContentHash(kind, request.name, argsCount, runtime)
        await network.publish({ kind, name: request.name, argsCount, runtime, contentHash })
      }
    }
    for (const connector of one.connectors) await create(network, connector)
    for (const run of one.execute) await execute(network, run)
  })
})

async function create(network: TestNetwork, { request, expected, expected_error }: Created): Promise<void> {
  if (!expected_error) {
    const artifact = await network.connector(request)
    expect((artifact as { formatHash: string }).formatHash).toBe(`0x${expected!.format_hash}`)
    return
  }
  const definition = define(request)
  const placeholder = {
    kind: 'transformation',
    name: request.name,
    argsCount: 0,
    runtime: '0x00',
    contentHash: `0x${'00'.repeat(32)}`,
  } as const
  const contentHash = hashOrNothing(() => buildConnector(definition, network.lookup).contentHash)
  const publication = await network.publication(placeholder, {
    kind: 0,
    payload: encodeConnectorPayload(definition),
    ...(contentHash && { contentHash }),
  })
  const answer = await network.tryPublish(publication)
  expect(answer).toEqual({
    ok: false,
    revertData: (expected_error as { revert_data?: string }).revert_data,
  })
}

async function execute(network: TestNetwork, run: Executed): Promise<void> {
  const { request } = run
  const answer = await network.generate(
    request.connector_name,
    Number(request.particles_count),
    run.dynamic_ri_tuples?.map(instance) ?? dynamicRiOf(request),
  )
  if (run.expected_error) {
    expect(answer).toEqual({ ok: false, revertData: run.expected_error.revert_data })
  } else {
    expect(run.expected).toBeDefined()
    expect(streams(answer)).toEqual(run.expected)
  }
}

function instance(tuple: readonly [number, number, number]): PositionedRunningInstance {
  return { position: tuple[0], startPoint: tuple[1], transformationShift: tuple[2] }
}

function hashOrNothing<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}
