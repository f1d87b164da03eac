import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registerClient } from '../../lib/people/identity/agent-clients.ts'
import { issueChainToken } from '../../lib/people/identity/chain-token.ts'
import { createPreviewLimiter } from '../../lib/platform/limits/work-limiter.ts'
import type { Address } from '../../lib/protocol/entity.ts'
import { grantJson } from '../../lib/protocol/publishing-grant.ts'
import { DEFAULT_MAX_BODY_BYTES, type Operation } from '../../lib/server/http/operation.ts'
import { createChainDispatcher } from '../../lib/server/operations/chain/dispatcher.ts'
import { studioOperations } from '../../lib/server/operations/studio/index.ts'
import { project } from '../api/projection.ts'
import { newPerson, SITE } from '../services/people.ts'
import { type TestChain, testChain } from '../support/chain.ts'
import { chainConfig, falseRunnerConfig, strandedConfig } from '../support/chain-config.ts'
import { bundleForm } from '../support/form.ts'
import { makeBundle } from '../worlds/support/bundle.ts'
import { picture } from '../worlds/support/demo-worlds.ts'
import { startBucket, type TestBucket } from '../worlds/support/s3.ts'
import { counted, ONCE_A_MINUTE } from './rates.ts'
import { matrix, reach, type Sent, type Studio, send, startStudio } from './studio-requests.ts'

/*
 * Every documented answer of the studio's endpoints is reached here, over a real database and a real chain. The last
 * test fails when one documents an answer that no test above it reached.
 */

const budget = 10n ** 21n
const SPONSOR = { key: generatePrivateKey(), perDay: budget, perAccount: budget, perClient: budget }

type Person = Awaited<ReturnType<typeof newPerson>>

let chain: TestChain
let main: Studio
/** Its chain does not answer, its previews are all under way, and its table of publications is gone. */
let broken: Studio
/** Its runner is none, and every client address may do everything costly once a minute. */
let strict: Studio
let bucket: TestBucket
/** Takes bundles by way of a bucket, and one World of each account. */
let addressed: Studio
let ada: Person
let ben: Person
let account: string

beforeAll(async () => {
  chain = await testChain()
  const falseRunner = await falseRunnerConfig(chain)
  bucket = await startBucket()
  const byAddress = { blobBucket: bucket.settings, uploadsByAddress: true, maxWorldsPerOwner: 1 }
  ;[main, broken, strict, addressed] = await Promise.all([
    startStudio({ ...chainConfig(chain), sponsor: SPONSOR }),
    startStudio({ ...strandedConfig(chain), sponsor: SPONSOR }, { previewLimiter: createPreviewLimiter(0) }),
    startStudio({ ...falseRunner, ...ONCE_A_MINUTE }),
    startStudio(byAddress),
  ])
  ada = await newPerson(main.api)
  ben = await newPerson(main.api)
  account = ada.address.toLowerCase()
})
afterAll(async () => {
  await Promise.all([main, broken, strict, addressed].map((studio) => studio?.api.close()))
  await bucket?.close()
  await chain?.close()
})

/** The address of a link that does not exist. */
const NO_LINK = 'A'.repeat(22)

/** An address that the path accepts. */
function pathOf({ path }: Operation): string {
  return path
    .replace('{account}', account)
    .replace('{revision}', '1')
    .replace('/{kind}', '/connector')
    .replace(/^(\/shared.*)\{id\}$/, `$1${NO_LINK}`)
    .replace(/^(\/grants.*)\{id\}$/, `$1${'0'.repeat(64)}`)
    .replaceAll(/\{\w+\}/g, 'any')
}

function named(operations: readonly Operation[]) {
  return operations.map((operation): [string, Operation] => [operation.id, operation])
}

describe.each(named(studioOperations))('%s', (id, operation) => {
  const { method, request, auth } = operation
  const sender = (): Sent => (auth === 'none' ? {} : { token: ada.token })

  test('403 from anywhere but the pages of this site', async () => {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' },
      { 'sec-fetch-site': '', origin: 'null' },
    ]) {
      await reach(main, `${id} 403`, method, pathOf(operation), { ...sender(), headers })
    }
  })

  if (auth !== 'none')
    test('401 without a session', async () => {
      await reach(main, `${id} 401`, method, pathOf(operation))
    })

  if (request.body !== undefined)
    test('400, 413 and 415 for bodies that are none', async () => {
      const most = request.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES
      const post = (status: number, body: string, type = 'application/json') =>
        reach(main, `${id} ${status}`, method, pathOf(operation), {
          ...sender(),
          body,
          headers: { 'content-type': type },
        })
      await post(400, '{"a":1,"a":1}')
      await post(413, ' '.repeat(most + 1))
      await post(415, '{}', 'text/plain')
    })

  if (request.file !== undefined)
    test('400, 413 and 415 for files that are none', async () => {
      const post = (status: number, headers: Record<string, string>) =>
        reach(main, `${id} ${status}`, method, pathOf(operation), {
          ...sender(),
          body: new ReadableStream({ start: (controller) => controller.close() }),
          headers,
        })
      await post(400, { 'content-type': 'application/json' })
      const most = request.file?.maxBytes ?? 0
      const form = 'multipart/form-data; boundary=b'
      await post(413, { 'content-type': form, 'content-length': String(most * 2) })
      await post(415, { 'content-type': form, 'content-encoding': 'br' })
    })
})

test.each(counted(studioOperations))('%s: 429 for a client in a hurry', async (id, operation, client) => {
  const again = () =>
    send(strict, operation.method, pathOf(operation), { headers: { 'x-forwarded-for': client } })
  expect((await again()).status).not.toBe(429)
  const sent: Sent = { headers: { 'x-forwarded-for': client } }
  const { headers } = await reach(strict, `${id} 429`, operation.method, pathOf(operation), sent)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})

const BODY = { kind: 'transformation', sol_src: 'return x;' }
const SLICE = {
  connectors: [{ name: 'Line', dimensions: [{ transformations: [{ name: 'same' }] }] }],
  bodies: [{ ...BODY, name: 'same' }],
}

test('previews', async () => {
  const asked = [
    ['POST_preview', '/preview', { ...SLICE, connector_name: 'Line', particles_count: 2 }],
    ['POST_explain', '/explain', { ...SLICE, connector_name: 'Line', path: '/Line:0', step: 1 }],
    ['POST_compile', '/compile', BODY],
    ['POST_try', '/try', { ...BODY, x: 3 }],
  ] as const
  for (const [id, path, json] of asked) {
    await reach(main, `${id} 200`, 'POST', path, { json })
    await reach(broken, `${id} 503`, 'POST', path, { json })
  }
  await reach(main, 'POST_previewDifference 204', 'POST', '/preview-differences')
})

test('artifacts, and starts of runs', async () => {
  const { db, services } = main.api
  const same = await services.compiler.compile('transformation', 'published_same', 'return x;')
  const torn = await services.compiler.compile('transformation', 'published_torn', 'return x + 3;')
  await db.sql`delete from entities where name in ('published_same', 'published_torn')`
  await project(db, same)
  await project(db, torn)
  const names = (name: string) => ({ json: { names: [{ kind: 'transformation', name }] } })
  const { token } = ada
  const read = await reach(main, 'POST_entities 200', 'POST', '/entities', {
    json: { names: ['published_same', 'free_name'].map((name) => ({ kind: 'transformation', name })) },
  })
  expect(JSON.parse(read.text).transformations).toMatchObject([{ name: 'published_same', args_count: 0 }])
  await reach(main, 'POST_artifacts 200', 'POST', '/artifacts', names('published_same'))
  await reach(main, 'POST_ownArtifacts 200', 'POST', '/own-artifacts', { ...names('published_same'), token })
  // Published, and not yet rebuilt here.
  await db.sql.begin(async (sql) => {
    await sql`set local session_replication_role = replica`
    await sql`delete from artifacts where content_hash = ${torn.contentHash}`
  })
  await reach(main, 'POST_artifacts 503', 'POST', '/artifacts', names('published_torn'))
  await reach(main, 'POST_ownArtifacts 503', 'POST', '/own-artifacts', { ...names('published_torn'), token })

  const draft = async (name: string, transformations: readonly object[]) => {
    const { status } = await createChainDispatcher({ services: async () => services })(
      new Request(`${SITE}/chain/connector`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${await issueChainToken(services, account as Address)}`,
        },
        body: JSON.stringify({ name, dimensions: [{ transformations }] }),
      }),
    )
    expect(status).toBe(201)
  }
  await draft('Starts', [])
  await draft('NotOnChain', [{ name: 'published_same', args: [] }])
  await reach(main, 'GET_connectorStarts 200', 'GET', '/starts/Starts')
  await reach(main, 'GET_connectorStarts 400', 'GET', '/starts/no-name')
  await reach(main, 'GET_firstShown 200', 'GET', '/first-shown/connector')
  await reach(main, 'GET_firstShown 400', 'GET', '/first-shown/worlds')
  await reach(main, 'GET_connectorStarts 404', 'GET', '/starts/nobody')
})

test('requests to the chain', async () => {
  const run = { json: { connector_name: 'nobody', particles_count: 1 } }
  await reach(main, 'POST_chainRun 200', 'POST', '/execute', run)
  await reach(broken, 'POST_chainRun 503', 'POST', '/execute', run)
  await reach(strict, 'POST_chainRun 502', 'POST', '/execute', run)
  const plan = { json: { ...SLICE, kind: 'connector', name: 'Line', account } }
  await reach(main, 'POST_publicationPlan 200', 'POST', '/publication-plan', plan)
  await reach(broken, 'POST_publicationPlan 503', 'POST', '/publication-plan', plan)
  await reach(main, 'GET_publications 200', 'GET', '/publications', { token: ada.token })
  const prepare = (studio: Studio, status: number, json: object, token: string) =>
    reach(studio, `POST_publicationPreparation ${status}`, 'POST', '/publication-preparation', {
      json: { kind: 'connector', name: 'Starts', relay: false, ...json },
      token,
    })
  await prepare(main, 200, { words: { description: 'Starts of all sorts', licence: 'MIT' } }, ada.token)
  await prepare(main, 400, { words: { source: 'return x;' } }, ada.token)
  await prepare(main, 400, { words: { licence: 'a <b>' } }, ada.token)
  await prepare(main, 403, {}, ben.token)
  await prepare(main, 404, { name: 'Nobody' }, ada.token)
  await prepare(main, 409, { name: 'NotOnChain' }, ada.token)
  const batch = (studio: Studio, status: number, item: object, token: string) =>
    reach(studio, `POST_publicationBatch ${status}`, 'POST', '/publication-batch', {
      json: { items: [{ kind: 'connector', name: 'Starts', ...item }] },
      token,
    })
  await batch(main, 200, { words: { description: 'Starts of all sorts' } }, ada.token)
  await batch(main, 400, { words: { source: 'return x;' } }, ada.token)
  await batch(main, 403, {}, ben.token)
  await batch(main, 404, { name: 'Nobody' }, ada.token)
  await batch(main, 409, { name: 'NotOnChain' }, ada.token)
  const sponsored = (studio: Studio, status: number, json: object, token: string) =>
    reach(studio, `POST_sponsoredPublication ${status}`, 'POST', '/sponsored-publication', { json, token })
  const payer = privateKeyToAccount(SPONSOR.key).address
  const setFunds = (wei: string) => chain.rpc('anvil_setBalance', [payer, wei])
  await setFunds('0x8ac7230489e80000')
  const answer = await batch(main, 200, {}, ada.token)
  const prepared = JSON.parse(answer.text) as { items: Record<string, string>[]; typed_data: string }
  const items = prepared.items.map(({ kind, name, content_hash }) => ({ kind, name, content_hash }))
  const signature = await ada.wallet.signTypedData(JSON.parse(prepared.typed_data))
  await sponsored(main, 400, { items, signature: '' }, ada.token)
  await setFunds('0x0')
  await sponsored(main, 409, { items, signature }, ada.token)
  await setFunds('0x8ac7230489e80000')
  await sponsored(main, 202, { items, signature }, ada.token)
  const { token } = await newPerson(broken.api)
  await broken.api.db.sql`alter table publications rename to lost`
  await broken.api.db.sql`alter table drafts rename to lost_drafts`
  await prepare(broken, 503, {}, token)
  await batch(broken, 503, {}, token)
  await sponsored(broken, 503, { items, signature }, token)
  await reach(broken, 'GET_publications 503', 'GET', '/publications', { token })
})

test('grants of agents', async () => {
  const { token, wallet } = ada
  const list = await reach(main, 'GET_grants 200', 'GET', '/grants', { token })
  const { domain } = JSON.parse(list.text) as {
    domain: { chain_id: number; registry: Address; site: string }
  }
  const agent = privateKeyToAccount(generatePrivateKey()).address.toLowerCase() as Address
  const terms = { agent, kinds: ['connector'] as const, publications: 3, expires: grantEnd() }
  const salt = `0x${'01'.repeat(32)}` as const
  const signed = grantJson(
    { ...terms, owner: account as Address, budget: 1000n, salt },
    { chainId: domain.chain_id, registry: domain.registry, site: domain.site },
  )
  const signature = await wallet.signTypedData(JSON.parse(signed))
  const json = { ...terms, name: 'Agent', budget: '1000', salt, signature }
  const post = (studio: Studio, status: number, change: object, by = token) =>
    reach(studio, `POST_grant ${status}`, 'POST', '/grants', { token: by, json: { ...json, ...change } })
  await post(main, 400, { budget: '1001' })
  const { id } = JSON.parse((await post(main, 200, {})).text) as { id: string }
  await reach(main, 'DELETE_grant 400', 'DELETE', '/grants/zz', { token })
  await reach(main, 'DELETE_grant 204', 'DELETE', `/grants/${id}`, { token })
  await post(main, 409, {})
  const other = (await newPerson(broken.api)).token
  await post(broken, 503, {}, other)
  await broken.api.db.sql`alter table publishing_grants rename to lost_grants`
  await reach(broken, 'GET_grants 503', 'GET', '/grants', { token: other })
  await reach(broken, 'DELETE_grant 503', 'DELETE', `/grants/${id}`, { token: other })
})

function grantEnd(): number {
  return Math.floor(Date.now() / 1000) + 3600
}

test('workspaces', async () => {
  const { token } = ada
  const own = `/workspaces/${account}`
  const loom = `${own}/loom`
  const save = (revision: number) => ({
    token,
    json: { revision, name: 'Loom', document: { entries: [], places: [] } },
  })
  await reach(main, 'PUT_workspace 200', 'PUT', loom, save(0))
  await reach(main, 'PUT_workspace 409', 'PUT', loom, save(7))
  await reach(main, 'GET_workspaces 200', 'GET', own, { token })
  await reach(main, 'GET_workspaces 400', 'GET', '/workspaces/0x12', { token })
  await reach(main, 'GET_workspace 200', 'GET', loom, { token })
  await reach(main, 'GET_workspaceVersions 200', 'GET', `${loom}/versions`, { token })
  await reach(main, 'GET_workspaceVersion 200', 'GET', `${loom}/versions/1`, { token })
  await reach(main, 'DELETE_workspace 204', 'DELETE', loom, { token })
  await reach(main, 'POST_workspaceRestore 200', 'POST', `${loom}/restore`, { token })
  await reach(main, 'DELETE_workspace 400', 'DELETE', `${loom}?for_good=perhaps`, { token })
  for (const [id, method, path] of [
    ['GET_workspace', 'GET', ''],
    ['POST_workspaceRestore', 'POST', '/restore'],
    ['GET_workspaceVersion', 'GET', '/versions/9'],
    ['GET_workspaceVersions', 'GET', '/versions'],
  ] as const) {
    await reach(main, `${id} 400`, method, `/workspaces/0x12/loom${path}`, { token })
    if (id !== 'GET_workspaceVersions')
      await reach(main, `${id} 404`, method, `${own}/none${path}`, { token })
  }
  // Of another account.
  await reach(main, 'GET_workspace 403', 'GET', loom, { token: ben.token })
})

test('marks and plays of pieces', async () => {
  const { token } = ada
  const json = { mark: 'like', kind: 'connector', name: 'nothing_published', on: true }
  await reach(main, 'POST_mark 404', 'POST', '/marks', { token, json })
  await reach(main, 'POST_mark 204', 'POST', '/marks', { token, json: { ...json, on: false } })
  await reach(main, 'POST_mark 400', 'POST', '/marks', { token, json: { ...json, name: 'a\0' } })
  await reach(main, 'GET_marks 200', 'GET', '/marks/connector/nothing_published', { token })
  await reach(main, 'GET_marks 400', 'GET', '/marks/loom/any', { token })
  await reach(main, 'GET_saved 200', 'GET', '/saved/connector', { token })
  await reach(main, 'GET_saved 400', 'GET', '/saved/format', { token })
  await reach(main, 'POST_seenNotices 204', 'POST', '/notices/seen', { token })
  await reach(main, 'POST_feedAddresses 204', 'POST', '/notices/feeds', { token, json: { on: true } })
  await reach(main, 'POST_email 204', 'POST', '/notices/email', { token, json: { address: null } })
  await reach(main, 'POST_email 404', 'POST', '/notices/email', { token, json: { address: 'a@b.example' } })
  await reach(main, 'POST_play 204', 'POST', '/plays', { json: { kind: 'world', name: 'wld_none' } })
  await reach(main, 'POST_play 400', 'POST', '/plays', { json: { kind: 'format', name: 'any' } })
})

test('links to stored drafts', async () => {
  const { token } = ada
  const own = `/shared-drafts/${account}`
  const json = { name: 'Loom', document: { entries: [], places: [] } }
  const { text } = await reach(main, 'POST_sharedDraft 200', 'POST', own, { token, json })
  const { id } = JSON.parse(text) as { id: string }
  await reach(main, 'GET_sharedDrafts 200', 'GET', own, { token })
  await reach(main, 'GET_sharedDrafts 400', 'GET', '/shared-drafts/0x12', { token })
  await reach(main, 'GET_sharedDraft 200', 'GET', `/shared/${id}`)
  await reach(main, 'GET_sharedDraft 404', 'GET', `/shared/${NO_LINK}`)
  await reach(main, 'GET_sharedDraft 404', 'GET', '/shared/none')
  await reach(main, 'DELETE_sharedDraft 400', 'DELETE', `${own}/none`, { token })
  await reach(main, 'DELETE_sharedDraft 403', 'DELETE', `${own}/${id}`, { token: ben.token })
  await reach(main, 'DELETE_sharedDraft 204', 'DELETE', `${own}/${id}`, { token })
})

test('applications', async () => {
  const { token } = ada
  const own = `/agents/${account}`
  const services = { config: main.api.services.config, clock: () => new Date() }
  const { id } = await registerClient(services, { name: 'bot', redirectUris: ['https://bot.example/'] })
  const code_challenge = 'c'.repeat(43)
  const request = { client_id: id, response_type: 'code', code_challenge, code_challenge_method: 'S256' }
  const json = { allow: true, request }
  await reach(main, 'POST_agentAnswer 200', 'POST', own, { token, json })
  await reach(main, 'POST_agentAnswer 400', 'POST', own, { token, json: { allow: true, request: {} } })
  await reach(main, 'POST_agentAnswer 403', 'POST', own, { token: ben.token, json })
  const grant = `${own}/${'0'.repeat(64)}`
  await reach(main, 'DELETE_agent 204', 'DELETE', grant, { token })
  await reach(main, 'DELETE_agent 400', 'DELETE', '/agents/0x12/none', { token })
  await reach(main, 'DELETE_agent 403', 'DELETE', grant, { token: ben.token })
})

test('webhooks', async () => {
  const { token } = ada
  const own = `/webhooks/${account}`
  const json = { name: 'My bot', url: 'https://example.com/hook', filter: { kind: 'connector' } }
  const { text } = await reach(main, 'POST_webhook 200', 'POST', own, { token, json })
  const { id } = (JSON.parse(text) as { webhook: { id: string } }).webhook
  await reach(main, 'GET_webhooks 200', 'GET', own, { token })
  await reach(main, 'GET_webhooks 400', 'GET', '/webhooks/0x12', { token })
  await reach(main, 'DELETE_webhook 400', 'DELETE', '/webhooks/0x12/any', { token })
  for (const [name, method, path, body] of [
    ['PATCH_webhook', 'PATCH', '', { state: 'paused' }],
    ['POST_webhookSecret', 'POST', '/secret', undefined],
    ['POST_webhookTest', 'POST', '/test', undefined],
    ['POST_webhookReplay', 'POST', '/replay', { since_seq: 0 }],
    ['GET_webhookDeliveries', 'GET', '/deliveries', undefined],
  ] as const) {
    const sent = { token, json: body }
    await reach(main, `${name} 200`, method, `${own}/${id}${path}`, sent)
    await reach(main, `${name} 404`, method, `${own}/none${path}`, sent)
    await reach(main, `${name} 400`, method, `/webhooks/0x12/${id}${path}`, sent)
    await reach(main, `${name} 403`, method, `${own}/${id}${path}`, { ...sent, token: ben.token })
    // Under his own address it is not his either.
    const others = `/webhooks/${ben.address.toLowerCase()}/${id}${path}`
    await reach(main, `${name} 404`, method, others, { ...sent, token: ben.token })
  }
  await reach(main, 'DELETE_webhook 204', 'DELETE', `${own}/${id}`, { token })
})

test('Worlds', async () => {
  const { token } = ada
  const bundle = makeBundle({ slug: 'studied' })
  const wrong = makeBundle({ name: '' })
  const uploaded = await main.api.send('POST', '/worlds/upload', { token, bundle })
  const { id } = uploaded.json as { id: string }

  const compare = (status: number, world: string, sent: Sent) =>
    reach(main, `POST_worldComparison ${status}`, 'POST', `/worlds/${world}/comparison`, sent)
  await compare(200, id, { token, bundle })
  await compare(400, id, { token, bundle: wrong })
  await compare(403, id, { token: ben.token, bundle })
  await compare(404, 'wld_none', { token, bundle })

  const draw = async (status: number, world: string, by: string, bytes = picture()) => {
    const { body, headers } = await bundleForm(new Uint8Array(bytes), 'picture')
    const sent = { token: by, body, headers }
    await reach(main, `PUT_worldPicture ${status}`, 'PUT', `/worlds/${world}/picture`, sent)
  }
  await draw(204, id, token)
  await draw(400, id, token, new Uint8Array(8))
  await draw(403, id, ben.token)
  await draw(404, 'wld_none', token)
  const wipe = (status: number, world: string, by: string) =>
    reach(main, `DELETE_worldPicture ${status}`, 'DELETE', `/worlds/${world}/picture`, { token: by })
  await wipe(403, id, ben.token)
  await wipe(404, 'wld_none', token)
  await wipe(204, id, token)

  const json = { kind: 'world', name: id, reason: 'broken', words: 'It stays black' }
  for (const [report, path, sender] of [
    ['POST_report', '/reports', { token: ben.token }],
    ['POST_visitorReport', '/visitor-reports', {}],
  ] as const) {
    await reach(main, `${report} 204`, 'POST', path, { ...sender, json })
    await reach(main, `${report} 404`, 'POST', path, { ...sender, json: { ...json, name: 'wld_none' } })
  }

  await reach(main, 'POST_worldPreview 200', 'POST', '/world-previews', { token, bundle })
  const visited = await reach(main, 'POST_visitorWorldPreview 200', 'POST', '/visitor-world-previews', {
    bundle,
  })
  const preview = (JSON.parse(visited.text) as { id: string }).id
  await reach(main, 'DELETE_worldPreview 204', 'DELETE', `/world-previews/${preview}`)
  await reach(main, 'POST_manifestCheck 200', 'POST', '/world-manifests', { json: { manifest: '{}' } })
})

test('the contracts are submitted by administrators', async () => {
  const submit = async (status: number, studio: Studio, token: string) =>
    reach(studio, `POST_contractVerification ${status}`, 'POST', '/contract-verification', { token })
  for (const [studio, status] of [
    [main, 204],
    [broken, 503],
  ] as const) {
    const person = await newPerson(studio.api)
    await submit(403, studio, person.token)
    const { config } = studio.api.services
    Object.assign(config, { adminAddresses: [person.address.toLowerCase()] })
    await submit(409, studio, person.token)
    Object.assign(config, { verifiers: { sourcifyUrl: 'http://127.0.0.1:1' } })
    await submit(status, studio, person.token)
  }
})

test('bundles by way of the bucket', async () => {
  const { token } = await newPerson(addressed.api)
  const other = await newPerson(addressed.api)
  const begin = (status: number, bytes: number, by = token, studio = addressed) =>
    reach(studio, `POST_worldUploadAddress ${status}`, 'POST', '/world-uploads', {
      token: by,
      json: { bytes },
    })
  const complete = async (pair: string, as: string, bundle: Uint8Array<ArrayBuffer>, by = token) => {
    const { key, url, type } = JSON.parse((await begin(201, bundle.byteLength, by)).text)
    const sent = await fetch(url, { method: 'PUT', body: bundle, headers: { 'content-type': type } })
    expect(sent.status).toBe(200)
    await reach(addressed, pair, 'POST', `/world-uploads/${as}`, { token: by, json: { key } })
  }
  await begin(400, 0)
  await begin(404, 1000, ada.token, main)
  await begin(413, 100_000_000)
  const [bundle, wrong] = [makeBundle({ slug: 'sent-away' }), makeBundle({ name: '' })]
  await complete('POST_worldUploadPreview 200', 'preview', bundle)
  await complete('POST_worldUploadPreview 400', 'preview', wrong)
  await complete('POST_worldUploadPublication 201', 'publication', bundle)
  await complete('POST_worldUploadPublication 400', 'publication', wrong)
  await complete('POST_worldUploadPublication 409', 'publication', bundle, other.token)
  await complete('POST_worldUploadPublication 429', 'publication', makeBundle({ slug: 'one-too-many' }))
  for (const as of ['Preview', 'Publication']) {
    const sent = { token, json: { key: 'upload-1' } }
    await reach(addressed, `POST_worldUpload${as} 404`, 'POST', `/world-uploads/${as.toLowerCase()}`, sent)
  }
  for (let i = 5; i < 30; i++) await begin(201, 1000)
  await begin(429, 1000)
})

test('every documented answer was reached, and no other', () => {
  expect(matrix.unmatched()).toEqual({ missing: [], undocumented: [] })
})
