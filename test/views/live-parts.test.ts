import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BuiltArtifact, CodeArtifact } from '#lib/protocol/artifact.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import { libraryEntities } from '#lib/studio/library/live-library.ts'
import { readLive } from '#lib/studio/live/live-document.ts'
import { createKnownArtifacts } from '#lib/studio/runs/known-artifacts.ts'
import { liveParts } from '#lib/views/live-parts.ts'
import { project } from '#test/server/chain/projection.ts'
import { contextOf } from '#test/support/context.ts'
import { startServices, type TestServices } from '#test/support/services.ts'

/* Data that the first page sends its player, which then requests nothing of the site. */

const RUNTIME = '0x6001' as const
const step: CodeArtifact = {
  ...{ kind: 'transformation', name: 'step', argsCount: 1, runtime: RUNTIME },
  contentHash: codeContentHash('transformation', 'step', 1, RUNTIME),
}

function connector(name: string, uses: readonly BuiltArtifact[]) {
  const dimensions = uses.map((used) => ({
    transformations: used.kind === 'transformation' ? [{ name: used.name, args: [3] }] : [],
    composite: used.kind === 'connector' ? used.name : '',
    bindings: [],
  }))
  const definition = { name, dimensions, conditionName: '', conditionArgs: [], staticRi: [] }
  return buildConnector(definition, (kind, wanted) =>
    uses.find((used) => used.kind === kind && used.name === wanted),
  )
}
const inner = connector('Inner', [step])
const outer = connector('Outer', [inner, step])

let services: TestServices

beforeAll(async () => {
  services = await startServices()
  for (const published of [step, inner, outer]) await project(services.db, published)
})
afterAll(() => services?.close())

test('the document, the code and the names of a connector come with a page', async () => {
  const parts = await liveParts(contextOf(services.services), 'Outer', undefined, undefined)
  if (parts === undefined) throw new Error('It is too large')
  expect(parts.world).toBeUndefined()

  const live = await readLive('Outer', async () => libraryEntities(parts.entities))
  expect(live?.root.dimensions.map(({ composite }) => composite)).toEqual(['Inner', ''])

  const requests: unknown[] = []
  const known = createKnownArtifacts({
    read: async (names) => {
      requests.push(names)
      return { names: [], artifacts: [] }
    },
    nowMs: () => 0,
  })
  known.learn(parts.names, parts.artifacts)
  const asked = [
    { kind: 'connector', name: 'Outer' },
    { kind: 'connector', name: 'Inner' },
    { kind: 'transformation', name: 'step' },
  ] as const
  const resolved = await known.resolve(asked, new AbortController().signal)
  expect(resolved?.map(({ contentHash }) => contentHash)).toEqual(
    [outer, inner, step].map(({ contentHash }) => contentHash),
  )
  const closure = known.closure([outer.contentHash]).map(({ name }) => name)
  expect(closure.toSorted()).toEqual(['Inner', 'Outer', 'step'])
  expect(requests).toEqual([])
})

test('a name that is not there has no parts to send', async () => {
  const parts = await liveParts(contextOf(services.services), 'Nobody', undefined, undefined)
  expect(parts?.entities.connectors).toEqual([])
})
