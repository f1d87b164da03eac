import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { test } from 'vitest'
import type { EntityKind } from '#lib/protocol/entity.ts'
import { devAccount } from '#test/support/chain.ts'
import { lower } from '#test/support/lower.ts'
import type { ContractApi } from '../contract-api.ts'
import { alice, bob, budget, chain, draft, main, reach, SPONSOR, stranded } from './servers.ts'

export const GRANT = `0x${'a1'.repeat(32)}`

async function storeGrant(api: ContractApi): Promise<void> {
  const [owner, agent] = [lower(devAccount(2).address), lower(devAccount(0).address)]
  await api.db.sql`
    insert into publishing_grants (id, owner, agent, name, kinds, publications, budget, expires_at, created_at)
    values (${GRANT}, ${owner}, ${agent}, 'Agent', ${['connector', 'condition']}, 9, ${String(budget)},
      now() + interval '1 day', now())`
}

/** Answers about publications by a grant, which `main` stores from here on. */
export function grantStatuses(): void {
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
    const connector = {
      name: 'hasty',
      dimensions: [{ transformations: [{ name: 'unpublished', args: [] }] }],
    }
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
}
