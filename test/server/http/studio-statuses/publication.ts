import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { issueChainToken } from '#lib/core/identity/chain-token.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { endpointsOf } from '#test/support/api.ts'
import { project } from '../../chain/projection.ts'
import { newPerson } from '../../services/people.ts'
import { reach, type Studio } from '../studio-requests.ts'
import { account, ada, ben, broken, chain, main, SPONSOR, strict } from './servers.ts'

const BODY = { kind: 'transformation', sol_src: 'return x;' }
const SLICE = {
  connectors: [{ name: 'Line', dimensions: [{ transformations: [{ name: 'same' }] }] }],
  bodies: [{ ...BODY, name: 'same' }],
}

/** Answers about previews, artifacts, publications and contracts; drafts of `Starts` and `NotOnChain` are left. */
export function publicationStatuses(): void {
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
  })

  test('artifacts, and starts of runs', async () => {
    const { db, services } = main.api
    const same = await services.compiler.compile('transformation', 'published_same', 'return x;')
    const torn = await services.compiler.compile('transformation', 'published_torn', 'return x + 3;')
    await db.sql`delete from entities where name in ('published_same', 'published_torn')`
    await project(db, same)
    await project(db, torn)
    const names = (name: string) => ({ json: { names: [{ kind: 'transformation', name }] } })
    const read = await reach(main, 'POST_entities 200', 'POST', '/entities', {
      json: { names: ['published_same', 'free_name'].map((name) => ({ kind: 'transformation', name })) },
    })
    expect(JSON.parse(read.text).transformations).toMatchObject([{ name: 'published_same', args_count: 0 }])
    await reach(main, 'POST_artifacts 200', 'POST', '/artifacts', names('published_same'))
    // Published, and not yet rebuilt here.
    await db.sql.begin(async (sql) => {
      await sql`set local session_replication_role = replica`
      await sql`delete from artifacts where content_hash = ${torn.contentHash}`
    })
    await reach(main, 'POST_artifacts 503', 'POST', '/artifacts', names('published_torn'))

    const draft = async (name: string, transformations: readonly object[]) => {
      const token = await issueChainToken(services, account as Address)
      const json = { name, dimensions: [{ transformations }] }
      const { status } = await endpointsOf('chain', services).send('POST', '/connector', { token, json })
      expect(status).toBe(201)
    }
    await draft('Starts', [])
    await draft('NotOnChain', [{ name: 'published_same', args: [] }])
    await reach(main, 'GET_connectorStarts 200', 'GET', '/starts/Starts')
    await reach(main, 'GET_connectorStarts 400', 'GET', '/starts/no-name')
    await reach(main, 'GET_firstShown 200', 'GET', '/first-shown/connector')
    await reach(main, 'GET_firstShown 400', 'GET', '/first-shown/worlds')
    await reach(main, 'POST_titles 200', 'POST', '/titles', { json: { names: ['Starts', '__proto__'] } })
    await reach(main, 'POST_titles 400', 'POST', '/titles', { json: { names: ['no-name'] } })
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
      Object.assign(config, { features: { verifier: { sourcifyUrl: 'http://127.0.0.1:1' } } })
      await submit(status, studio, person.token)
    }
  })
}
