import { type Hex, numberToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { storeArtifact } from '#lib/core/entities/stored-leaves.ts'
import { drafts } from '#lib/platform/db/schema/index.ts'
import { devAccount } from '#test/support/chain.ts'
import { lower } from '#test/support/lower.ts'
import { draftArtifact } from '../../chain/projection.ts'
import {
  alice,
  bob,
  chain,
  crippled,
  draft,
  main,
  prepareAndSign,
  publish,
  reach,
  stranded,
} from './servers.ts'

/** Answers of the steps of a publication, and of runs on chain. */
export function publicationStatuses(): void {
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
    expect(conflict.json).toMatchObject({ missing: ['transformation/part'] })
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
    expect(pending.json).toMatchObject({ status: 'pending' })
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
}
