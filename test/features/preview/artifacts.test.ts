import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeArtifact } from '#lib/core/entities/stored-leaves.ts'
import { drafts } from '#lib/platform/db/schema/index.ts'
import type { BuiltArtifact, CodeArtifact } from '#lib/protocol/artifact.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import type { Address, EntityKind } from '#lib/protocol/entity.ts'
import type { ArtifactsAnswer } from '#lib/server/operations/studio/artifacts.ts'
import { project } from '#test/server/chain/projection.ts'
import { newPerson } from '#test/server/services/people.ts'
import { type Endpoints, endpointsOf, startApi, type TestApi } from '#test/support/api.ts'

/* Artifacts that browsers read to run connectors by themselves; drafts are for their owners alone. */

let api: TestApi
let send: Endpoints['send']
let author: { readonly address: Address; readonly token: string }
let stranger: { readonly address: Address; readonly token: string }

function artifact(kind: 'transformation' | 'condition', name: string): CodeArtifact {
  const runtime = `0x60${Buffer.from(name).toString('hex')}` as const
  return { kind, name, argsCount: 1, runtime, contentHash: codeContentHash(kind, name, 1, runtime) }
}

function connector(name: string, uses: readonly BuiltArtifact[]) {
  const find = (kind: EntityKind, wanted: string) =>
    uses.find((used) => used.kind === kind && used.name === wanted)
  const dimensions = uses.map((used) => ({
    transformations: used.kind === 'transformation' ? [{ name: used.name, args: [3] }] : [],
    composite: used.kind === 'connector' ? used.name : '',
    bindings: [],
  }))
  return buildConnector({ name, dimensions, conditionName: '', conditionArgs: [], staticRi: [] }, find)
}

const SHARED = artifact('transformation', 'shared')
const OWN = artifact('transformation', 'own')
const OLD = { ...OWN, ...artifactOf('own', '0x61') }
const THEIRS = artifact('transformation', 'theirs')
const RULE = artifact('condition', 'shared')
const PUBLISHED = connector('Published', [SHARED])
const OUTER = connector('Outer', [PUBLISHED, SHARED])
const MINE = connector('Mine', [OUTER, OWN])
const BEFORE = connector('Before', [OLD])
const MIXED = connector('Mixed', [SHARED, THEIRS])

function artifactOf(name: string, runtime: `0x${string}`) {
  return { runtime, contentHash: codeContentHash('transformation', name, 1, runtime) }
}

beforeAll(async () => {
  api = await startApi('services')
  send = endpointsOf('studio', api.services).send
  author = await person()
  stranger = await person()
  for (const published of [SHARED, RULE, PUBLISHED, OUTER]) await project(api.db, published)
  await project(api.db, artifact('transformation', 'unverified'), { verified: false })
  await keep(author.address, OLD, BEFORE)
  await keep(author.address, OWN, MINE)
  await keep(stranger.address, THEIRS)
  await keep(author.address, MIXED)
})
afterAll(() => api?.close())

async function person() {
  const { address, token } = await newPerson(api)
  return { address: address.toLowerCase() as Address, token }
}

async function keep(owner: Address, ...kept: BuiltArtifact[]): Promise<void> {
  for (const body of kept) {
    const { contentHash, kind, name } = body
    await storeArtifact(api.db.sql, body)
    await api.db.orm
      .insert(drafts)
      .values({ kind, name, owner, contentHash, source: null })
      .onConflictDoUpdate({ target: [drafts.kind, drafts.name], set: { contentHash } })
  }
}

function ask(path: string, json: unknown, more: { token?: string; headers?: Record<string, string> } = {}) {
  return send<ArtifactsAnswer>('POST', path, { json, ...more })
}

function wanted(...names: [EntityKind, string][]) {
  return {
    names: names.map(([kind, name]) => ({ kind, name })),
  }
}
const ALL = wanted(
  ['connector', 'Outer'],
  ['connector', 'Mine'],
  ['connector', 'Before'],
  ['connector', 'Mixed'],
  ['transformation', 'own'],
  ['transformation', 'theirs'],
  ['transformation', 'unverified'],
  ['transformation', 'toString'],
  ['transformation', 'nobodys'],
  ['condition', 'shared'],
)
function names({ json }: { json: ArtifactsAnswer }) {
  return json.names.map(({ kind, name }) => `${kind}/${name}`).sort()
}
function sent({ json }: { json: ArtifactsAnswer }) {
  return json.artifacts.map((found) => found.content_hash).sort()
}
function hashes(...of: BuiltArtifact[]) {
  return of.map((one) => one.contentHash).sort()
}

describe('POST_artifacts', () => {
  test('200: visitors read what is published, down to the code, and nothing else', async () => {
    const answer = await ask('/artifacts', ALL)
    expect(answer.status).toBe(200)
    expect(names(answer)).toEqual(['condition/shared', 'connector/Outer'])
    expect(sent(answer)).toEqual(hashes(OUTER, PUBLISHED, SHARED, RULE))
    expect(answer.json.artifacts.find(({ name }) => name === 'Published')).toMatchObject({
      kind: 'connector',
      dependencies: [SHARED.contentHash],
    })
  })

  test('200: a session that is none reads as a visitor', async () => {
    const ended = await person()
    await api.db.sql`delete from sessions where address = ${ended.address}`
    for (const token of [ended.token, 'nonsense']) {
      const answer = await ask('/artifacts', ALL, { token })
      expect(answer.status).toBe(200)
      expect(names(answer)).toEqual(['condition/shared', 'connector/Outer'])
    }
  })

  test('400 and 403: what it refuses', async () => {
    for (const bad of [
      {},
      { names: [{ kind: 'x', name: 'a' }] },
      { names: [{ kind: 'connector', name: '' }] },
    ]) {
      expect((await ask('/artifacts', bad)).status).toBe(400)
    }
    const many = wanted(
      ...Array.from({ length: 2001 }, (_, i): [EntityKind, string] => ['connector', `a${i}`]),
    )
    expect((await ask('/artifacts', many)).status).toBe(400)
    expect((await ask('/artifacts', ALL, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403)
  })

  test('503: something it stands on is not here yet', async () => {
    const missing = artifact('transformation', 'missing')
    await project(api.db, connector('Early', [missing]))
    expect((await ask('/artifacts', wanted(['connector', 'Early']))).status).toBe(503)
  })
})

describe('POST_artifacts of an account', () => {
  const own = (who: { token: string }) => ask('/artifacts', ALL, who)

  test('200: authors read their drafts as well, but nothing that stands on what is not theirs', async () => {
    const answer = await own(author)
    // `Before` was built against an earlier version of `own`, `Mixed` needs another account's draft.
    expect(names(answer)).toEqual([
      'condition/shared',
      'connector/Mine',
      'connector/Outer',
      'transformation/own',
    ])
    expect(sent(answer)).toEqual(hashes(MINE, OUTER, PUBLISHED, SHARED, OWN, RULE))
    expect(JSON.stringify(answer.json)).not.toContain(THEIRS.runtime.slice(2))
  })

  test('200: drafts of other accounts are left out', async () => {
    const answer = await own(stranger)
    expect(names(answer)).toEqual(['condition/shared', 'connector/Outer', 'transformation/theirs'])
    expect(sent(answer)).toEqual(hashes(OUTER, PUBLISHED, SHARED, THEIRS, RULE))
  })
})
