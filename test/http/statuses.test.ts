import { type Hex, numberToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeArtifact } from '../../lib/entities/stored-leaves.ts'
import { drafts } from '../../lib/platform/db/schema/index.ts'
import type { BuiltConnector } from '../../lib/protocol/artifact.ts'
import type { Address, EntityKind } from '../../lib/protocol/entity.ts'
import { Failure } from '../../lib/protocol/failure.ts'
import type { Operation } from '../../lib/server/http/operation.ts'
import { chainOperations } from '../../lib/server/operations/chain/index.ts'
import { draftArtifact, project } from '../api/projection.ts'
import { devAccount, type TestChain, testChain } from '../support/chain.ts'
import { chainConfig, falseRunnerConfig, strandedConfig } from '../support/chain-config.ts'
import { type Answer, type ContractApi, type Sent, startContractApi } from './contract-api.ts'
import { ONCE_A_MINUTE } from './rates.ts'
import { statusMatrix } from './status-matrix.ts'

/*
 * Every documented answer of every operation is reached here, over the whole API, a real database and a real chain.
 * The last test fails when an operation documents an answer that no test above it reached.
 */

const matrix = statusMatrix(chainOperations)
const budget = 10n ** 21n
const SPONSOR = { key: generatePrivateKey(), perDay: budget, perAccount: budget, perClient: budget }
const KINDS = ['connector', 'transformation', 'condition'] as const satisfies readonly EntityKind[]

let chain: TestChain
let main: ContractApi
/** Its chain does not answer. */
let stranded: ContractApi
/** A part of it has a defect. */
let defective: ContractApi
/** Publication is switched off; one draft an owner; the local EVM is broken; the runner is not a runner. */
let crippled: ContractApi
/** It trusts a proxy, allows each client one request a minute of each kind, and no stream. */
let crowded: ContractApi
let alice: string
let bob: string

beforeAll(async () => {
  chain = await testChain()
  const falseRunner = await falseRunnerConfig(chain)
  ;[main, stranded, crippled] = await Promise.all([
    startContractApi({ ...chainConfig(chain), sponsor: SPONSOR }),
    startContractApi({ ...strandedConfig(chain), sponsor: SPONSOR }),
    startContractApi(
      { ...falseRunner, publicationEnabled: false, maxDraftsPerOwner: 1 },
      {
        simulator: {
          simulate: () => Promise.reject(new Failure('execution_failed', 'The local EVM failed')),
          simulateJson: () => Promise.reject(new Failure('execution_failed', 'The local EVM failed')),
          start: () => undefined,
          prepare: async () => undefined,
          close: async () => undefined,
        },
      },
    ),
  ])
  crowded = await startContractApi({
    ...chainConfig(chain),
    ...ONCE_A_MINUTE,
    streams: { maxReaders: 10, maxOfClient: 0 },
  })
  const access = main.services.chain
  if (access === undefined) throw new Error('no chain')
  await access.verify()
  defective = await startContractApi(
    {},
    { chain: { ...access, verify: () => Promise.reject(new TypeError('x')) } },
  )
  await defective.db.sql`alter table drafts rename to lost`
  alice = await main.token(lower(devAccount(0).address))
  bob = await main.token(lower(devAccount(1).address))
})

afterAll(async () => {
  await Promise.all([
    crowded?.close(),
    main?.close(),
    stranded?.close(),
    crippled?.close(),
    defective?.close(),
  ])
  await chain?.close()
})

function lower(address: string): Address {
  return address.toLowerCase() as Address
}

/** Sends a request and holds it to the operation and the status that the test is about. */
async function reach(
  api: ContractApi,
  pair: `${string} ${number}`,
  method: string,
  path: string,
  sent: Sent = {},
): Promise<Answer> {
  const answer = await api.send(method, path, sent)
  expect(`${answer.operationId} ${answer.status}`, JSON.stringify(answer.body)).toBe(pair)
  matrix.reach(pair)
  return answer
}

const definitions = {
  transformation: (name: string) => ({ name, sol_src: 'return x + 1;' }),
  condition: (name: string) => ({ name, sol_src: 'return true;' }),
  connector: (name: string) => ({ name, dimensions: [{ transformations: [] }] }),
}

async function draft(api: ContractApi, kind: EntityKind, name: string, token: string): Promise<void> {
  await reach(api, `POST_${kind} 201`, 'POST', `/${kind}`, { token, json: definitions[kind](name) })
}

interface Prepared {
  readonly transaction: { to: Address; data: Hex; gas: Hex; chainId: Hex }
  readonly content_hash: Hex
  readonly signing: { nonce: Hex; maxFeePerGas: Hex; maxPriorityFeePerGas: Hex }
}

/** Prepares with `relay` and signs as the dev account. */
async function prepareAndSign(
  kind: EntityKind,
  name: string,
  account: 0 | 1,
): Promise<Sent & { json: object }> {
  const token = account === 0 ? alice : bob
  const answer = await reach(main, 'POST_publishPrepare 200', 'POST', `/publish/${kind}/prepare`, {
    token,
    json: { name, relay: true },
  })
  const { transaction, signing, content_hash } = answer.body as Prepared
  const raw_tx = await devAccount(account).signTransaction({
    type: 'eip1559',
    chainId: Number(transaction.chainId),
    to: transaction.to,
    data: transaction.data,
    gas: BigInt(transaction.gas),
    nonce: Number(signing.nonce),
    maxFeePerGas: BigInt(signing.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(signing.maxPriorityFeePerGas),
    value: 0n,
  })
  return { token, json: { name, content_hash, raw_tx } }
}

async function publish(
  kind: EntityKind,
  name: string,
  account: 0 | 1,
): Promise<{ confirm: Sent & { json: object } }> {
  const signed = await prepareAndSign(kind, name, account)
  const sent = await reach(main, 'POST_publishSend 202', 'POST', `/publish/${kind}/send`, signed)
  const { content_hash } = signed.json as { content_hash: Hex }
  const { tx_hash } = sent.body as { tx_hash: Hex }
  return {
    confirm: { token: signed.token as string, json: { name, content_hash, tx_hash } },
  }
}

test('core, nonces and lists', async () => {
  await reach(main, 'GET_version 200', 'GET', '/version')
  await reach(main, 'GET_nonce 200', 'GET', `/nonce/${devAccount(0).address}`)
  await reach(main, 'GET_nonce 400', 'GET', '/nonce/0x12')
  for (const [id, path] of [
    ['accounts', '/accounts'],
    ['formats', '/formats'],
  ]) {
    for (const method of ['GET', 'HEAD']) {
      await reach(main, `${method}_${id} 200`, method, `${path}?limit=1`)
      await reach(main, `${method}_${id} 400`, method, `${path}?limit=0`)
    }
  }
  await reach(main, 'GET_accountInfo 200', 'GET', `/account/${devAccount(5).address}?limit=1`)
  await reach(main, 'GET_accountInfo 400', 'GET', `/account/${devAccount(5).address}`)
  await reach(main, 'GET_format 200', 'GET', `/format/${'0'.repeat(64)}?limit=1`)
  await reach(main, 'GET_format 400', 'GET', '/format/0x00?limit=1')
  await reach(main, 'GET_feed 200', 'GET', '/feed?limit=1')
  await reach(main, 'GET_feed 400', 'GET', '/feed?limit=1&before=x')
  await reach(main, 'GET_feedStream 200', 'GET', '/feed/stream')
  await reach(main, 'GET_feedStream 400', 'GET', '/feed/stream?limit=0')
})

test('POST_auth', async () => {
  const account = devAccount(2)
  const { body } = await reach(main, 'GET_nonce 200', 'GET', `/nonce/${account.address}`)
  const message = `Login nonce: ${(body as { nonce: string }).nonce}`
  const signature = await account.signMessage({ message })
  const json = { address: account.address, message, signature }
  await reach(main, 'POST_auth 200', 'POST', '/auth', { json })
  await reach(main, 'POST_auth 400', 'POST', '/auth', { json })
})

describe.each(KINDS)('%s', (kind) => {
  test('reads and drafts', async () => {
    await reach(main, `GET_${kind} 404`, 'GET', `/${kind}/status`)
    await reach(main, `HEAD_${kind} 404`, 'HEAD', `/${kind}/status`)
    await draft(main, kind, 'status', alice)
    await reach(main, `GET_${kind} 200`, 'GET', `/${kind}/status`)
    await reach(main, `HEAD_${kind} 200`, 'HEAD', `/${kind}/status`)
    await reach(main, `GET_${kind} 400`, 'GET', `/${kind}/not-a-name`)
    const json = definitions[kind]('status')
    await reach(main, `POST_${kind} 400`, 'POST', `/${kind}`, { token: alice, json: { ...json, more: 1 } })
    await reach(main, `POST_${kind} 401`, 'POST', `/${kind}`, { json })
    await reach(main, `POST_${kind} 409`, 'POST', `/${kind}`, { token: bob, json })
  })

  test('503 while the name cannot be checked on chain', async () => {
    const json = definitions[kind]('status')
    await reach(stranded, `POST_${kind} 503`, 'POST', `/${kind}`, {
      token: await stranded.token(lower(devAccount(0).address)),
      json,
    })
  })

  test('429 beyond the most drafts an owner may have', async () => {
    const token = await crippled.token(lower(devAccount(3 + KINDS.indexOf(kind)).address))
    await draft(crippled, kind, `first_${kind}`, token)
    const json = definitions[kind]('second')
    await reach(crippled, `POST_${kind} 429`, 'POST', `/${kind}`, { token, json })
  })

  test('500 when the tables cannot be read', async () => {
    await reach(defective, `GET_${kind} 500`, 'GET', `/${kind}/status`)
  })
})

test('POST_simulate', async () => {
  const run = (connector_name: string) => ({ json: { connector_name, particles_count: 2 } })
  await reach(main, 'POST_simulate 200', 'POST', '/simulate', run('status'))
  await reach(main, 'POST_simulate 400', 'POST', '/simulate', { json: { connector_name: 'status' } })
  await reach(main, 'POST_simulate 404', 'POST', '/simulate', run('nobody'))
  const published = (await draftArtifact(main.db, 'connector', 'status')) as BuiltConnector
  const missing = { kind: 'connector' as const, name: 'gone', contentHash: `0x${'7'.repeat(64)}` as const }
  const contentHash = `0x${'8'.repeat(64)}` as const
  await project(main.db, { ...published, name: 'partless', dependencies: [missing], contentHash })
  await reach(main, 'POST_simulate 503', 'POST', '/simulate', run('partless'))
  await reach(crippled, 'POST_simulate 500', 'POST', '/simulate', run('first_connector'))
})

test('publication, and execution of what was published', async () => {
  const path = '/publish/connector'
  // A connector whose transformation is not registered yet.
  await draft(main, 'transformation', 'part', alice)
  const whole = { name: 'whole', dimensions: [{ transformations: [{ name: 'part' }] }] }
  await reach(main, 'POST_connector 201', 'POST', '/connector', { token: alice, json: whole })
  const conflict = await reach(main, 'POST_publishPrepare 409', 'POST', `${path}/prepare`, {
    token: alice,
    json: { name: 'whole' },
  })
  expect(conflict.body).toMatchObject({ missing: ['transformation/part'] })
  await reach(main, 'POST_publishPrepare 403', 'POST', `${path}/prepare`, {
    token: bob,
    json: { name: 'whole' },
  })
  await reach(main, 'POST_publishPrepare 404', 'POST', `${path}/prepare`, {
    token: alice,
    json: { name: 'nobody' },
  })
  await reach(main, 'POST_publishPrepare 400', 'POST', `${path}/prepare`, {
    token: alice,
    json: { name: 'whole', relay: 'yes' },
  })

  await chain.rpc('evm_setAutomine', [false])
  const { confirm } = await publish('transformation', 'part', 0)
  const pending = await reach(main, 'POST_publishConfirm 202', 'POST', '/publish/transformation', confirm)
  expect(pending.body).toMatchObject({ status: 'pending' })
  await chain.rpc('evm_mine')
  await chain.rpc('evm_setAutomine', [true])
  await reach(main, 'POST_publishConfirm 201', 'POST', '/publish/transformation', confirm)
  await reach(main, 'POST_publishConfirm 400', 'POST', '/publish/transformation', {
    ...confirm,
    json: { ...confirm.json, content_hash: `0x${'1'.repeat(64)}` },
  })
  await publish('connector', 'whole', 0)

  const run = (connector_name: string) => ({ json: { connector_name, particles_count: 2 } })
  await reach(main, 'POST_execute 200', 'POST', '/execute', run('whole'))
  await reach(main, 'POST_execute 404', 'POST', '/execute', run('nobody'))
  await reach(main, 'POST_execute 400', 'POST', '/execute', { json: { connector_name: 'whole' } })
  await reach(crippled, 'POST_execute 502', 'POST', '/execute', run('whole'))
  await reach(stranded, 'POST_execute 503', 'POST', '/execute', run('whole'))
})

const LIMITED = chainOperations.filter(({ limit }) => limit !== undefined)

test.each(LIMITED.map((operation, index) => [operation.id, operation, index] as const))(
  '%s: 429 for more than a client may send a minute, whatever they say',
  async (id, { method, path }, index) => {
    const sent = {
      headers: { 'X-Forwarded-For': `203.0.113.${index}` },
      ...(method === 'POST' && { json: {} }),
    }
    const line = path.replaceAll(/\{\w+\}/g, 'x')
    expect((await crowded.send(method, line, sent)).status).not.toBe(429)
    const { headers } = await reach(crowded, `${id} 429`, method, line, sent)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(50)
    const other = { ...sent, headers: { 'X-Forwarded-For': `198.51.100.${index}` } }
    expect((await crowded.send(method, line, other)).status).not.toBe(429)
  },
)

test('GET_feedStream: 429 for more streams than a client may have', async () => {
  const headers = { 'X-Forwarded-For': '203.0.113.200' }
  await reach(crowded, 'GET_feedStream 429', 'GET', '/feed/stream', { headers })
})

test('500 for a defect', async () => {
  const token = await defective.token(lower(devAccount(0).address))
  await reach(defective, 'POST_connector 500', 'POST', '/connector', {
    token,
    json: definitions.connector('a'),
  })
  const json = { connector_name: 'whole', particles_count: 2 }
  await reach(defective, 'POST_execute 500', 'POST', '/execute', { json })
})

test('what send refuses', async () => {
  await draft(main, 'condition', 'sent', alice)
  const signed = await prepareAndSign('condition', 'sent', 0)
  const path = '/publish/condition/send'
  await reach(main, 'POST_publishSend 403', 'POST', path, { ...signed, token: bob })
  await reach(main, 'POST_publishSend 400', 'POST', path, {
    ...signed,
    json: { ...signed.json, raw_tx: '0x02' },
  })
  // Another transaction takes the nonce.
  await chain.wallet(0).sendTransaction({ to: devAccount(0).address, value: 1n })
  await reach(main, 'POST_publishSend 409', 'POST', path, signed)
})

test('a name that another account registers first', async () => {
  const transaction_hash = numberToHex(1, { size: 32 })
  await draft(main, 'condition', 'raced', alice)
  const { json } = await prepareAndSign('condition', 'raced', 0)
  const { content_hash } = json as { content_hash: Hex }
  // The other account works on another server.
  await main.db.sql`delete from drafts where name = 'raced'`
  await draft(main, 'condition', 'raced', bob)
  await publish('condition', 'raced', 1)
  await reach(main, 'POST_publishConfirm 409', 'POST', '/publish/condition', {
    token: alice,
    json: { name: 'raced', content_hash, tx_hash: transaction_hash },
  })
})

describe.each([
  ['POST_publishPrepare', '/prepare', { name: 'whole' }],
  ['POST_publishSend', '/send', undefined],
  ['POST_publishConfirm', '', { name: 'whole', content_hash: '0'.repeat(64), tx_hash: '0'.repeat(64) }],
] as const)('%s', (id, suffix, json) => {
  test('401, 403, 404 and 503', async () => {
    const path = `/publish/connector${suffix}`
    await reach(main, `${id} 401`, 'POST', path, { json: {} })
    await reach(crippled, `${id} 403`, 'POST', path)
    await reach(main, `${id} 404`, 'POST', `/publish/thing${suffix}`, { token: alice, json: {} })
    const sent = json ?? (await prepareAndSign('transformation', 'status', 0)).json
    const token = await stranded.token(lower(devAccount(0).address))
    if (id === 'POST_publishPrepare') {
      // The draft was made while the chain still answered.
      const artifact = await draftArtifact(main.db, 'connector', 'whole')
      const { name, kind, contentHash } = artifact
      const owner = lower(devAccount(0).address)
      await storeArtifact(stranded.db.sql, artifact)
      await stranded.db.orm.insert(drafts).values({ name, kind, contentHash, owner, source: null })
    }
    await reach(stranded, `${id} 503`, 'POST', path, { token, json: sent })
  })
})

const GRANT = `0x${'a1'.repeat(32)}`

async function storeGrant(api: ContractApi): Promise<void> {
  const [owner, agent] = [lower(devAccount(2).address), lower(devAccount(0).address)]
  await api.db.sql`
    insert into publishing_grants (id, owner, agent, name, kinds, publications, budget, expires_at, created_at)
    values (${GRANT}, ${owner}, ${agent}, 'Agent', ${['connector', 'condition']}, 9, ${String(budget)},
      now() + interval '1 day', now())`
}

test('what an agent does by a grant', async () => {
  const line = `/grants/${GRANT}`
  const read = (status: number, id = GRANT, token = alice) =>
    reach(main, `GET_grant ${status}`, 'GET', `/grants/${id}`, { token })
  const prepare = (status: number, name: string, token = alice, kind: EntityKind = 'condition') =>
    reach(main, `POST_grantPrepare ${status}`, 'POST', `${line}/prepare`, {
      token,
      json: { entities: [{ kind, name }] },
    })
  const publish = (status: number, json: object, id = GRANT) =>
    reach(main, `POST_grantPublish ${status}`, 'POST', `/grants/${id}/publish`, { token: alice, json })
  const setFunds = (wei: Hex) =>
    chain.rpc('anvil_setBalance', [privateKeyToAccount(SPONSOR.key).address, wei])

  await read(404)
  await storeGrant(main)
  await read(200)
  await read(400, 'zz')
  await reach(main, 'GET_grant 401', 'GET', line)
  await reach(main, 'POST_grantPrepare 401', 'POST', `${line}/prepare`, { json: {} })
  await reach(main, 'POST_grantPublish 401', 'POST', `${line}/publish`, { json: {} })

  await draft(main, 'condition', 'granted', alice)
  await draft(main, 'condition', 'foreign', bob)
  await draft(main, 'transformation', 'unpublished', alice)
  const connector = { name: 'hasty', dimensions: [{ transformations: [{ name: 'unpublished', args: [] }] }] }
  await reach(main, 'POST_connector 201', 'POST', '/connector', { token: alice, json: connector })
  await prepare(403, 'foreign')
  await prepare(404, 'granted', bob)
  await prepare(409, 'hasty', alice, 'connector')
  const { body } = await prepare(200, 'granted')
  const { entities, typed_data } = body as { entities: Record<string, string>[]; typed_data: string }
  const signature = await devAccount(0).signTypedData(JSON.parse(typed_data))
  const signed = {
    entities: entities.map(({ kind, name, content_hash }) => ({ kind, name, content_hash })),
    signature,
  }
  await publish(400, { ...signed, signature: '' })
  await publish(409, signed)
  await setFunds('0x8ac7230489e80000')
  await publish(404, signed, `0x${'b2'.repeat(32)}`)
  await main.db.sql`update publishing_grants set revoked_at = now()`
  await publish(403, signed)
  await main.db.sql`update publishing_grants set revoked_at = null`
  await publish(202, signed)

  const token = await stranded.token(lower(devAccount(0).address))
  await stranded.db.sql`alter table publishing_grants rename to lost_grants`
  await stranded.db.sql`alter table publications rename to lost_publications`
  await reach(stranded, 'GET_grant 503', 'GET', line, { token })
  const json = { entities: [{ kind: 'condition', name: 'granted' }] }
  await reach(stranded, 'POST_grantPrepare 503', 'POST', `${line}/prepare`, { token, json })
  await reach(stranded, 'POST_grantPublish 503', 'POST', `${line}/publish`, { token, json: signed })
})

const withBody = chainOperations.filter(({ request }) => request.body !== undefined)

test.each(withBody.map((operation): [string, Operation] => [operation.id, operation]))(
  '%s: 413 and 415, and 400 for a body that is not JSON',
  async (id, { path, request, auth, method }) => {
    const address = path.replace('{kind}', 'connector').replace('{id}', GRANT)
    const sender = auth === 'none' ? {} : { token: alice }
    const most = request.maxBodyBytes ?? 256 * 1024
    await reach(main, `${id} 413`, method, address, { ...sender, text: ' '.repeat(most + 1) })
    await reach(main, `${id} 400`, method, address, { ...sender, text: ' '.repeat(most) })
    await reach(main, `${id} 415`, method, address, { ...sender, text: '{}', type: 'text/plain' })
    await reach(main, `${id} 400`, method, address, { ...sender, text: '{"name":"a","name":"a"}' })
  },
)

test('every documented answer was reached, and no other', () => {
  expect(matrix.unmatched()).toEqual({ missing: [], undocumented: [] })
})
