import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import type { Kind, Player } from '../player.ts'
import type { Steps } from './step.ts'

interface Grant {
  readonly publications: number
  readonly used_publications: number
  readonly budget: string
  readonly spent: string
}
interface Granted {
  readonly entities: readonly { readonly kind: Kind; readonly name: string; readonly content_hash: string }[]
  readonly typed_data: string
}

/** Whether it is on chain, and whose it is. */
async function onChain(me: Player, kind: Kind, name: string): Promise<{ owner: string; address: string }> {
  const read = await me.value<{ owner: string; address: string }>(`read_${kind}`, { name })
  notEqual(read.address, '0x0')
  return read
}

/** Prepares a publication and signs it with the key of a grant's agent. */
async function prepareByGrant(delegate: Player, id: string, kind: Kind, name: string) {
  const prepared = await delegate.value<Granted>('prepare_granted_publication', {
    id,
    entities: [{ kind, name }],
  })
  const entities = prepared.entities.map((each) => ({
    ...{ kind: each.kind, name: each.name, content_hash: each.content_hash },
  }))
  const signature = await delegate.account.signTypedData(JSON.parse(prepared.typed_data))
  return { id, entities, signature }
}

export const publishing: Steps = {
  'sign-in': async ({ network: { visitor }, fresh }) => {
    const name = fresh('signed_in')
    const draft = { name, sol_src: 'return x + 1;' }
    equal((await visitor.refusal('create_transformation', draft)).status, 401)
    const { nonce } = await visitor.value<{ nonce: string }>('get_nonce', { address: visitor.address })
    const message = `Login nonce: ${nonce}`
    const { access_token } = await visitor.value<{ access_token: string }>('log_in', {
      address: visitor.address,
      message,
      signature: await visitor.account.signMessage({ message }),
    })
    const created = await visitor.value<{ owner: string }>('create_transformation', {
      ...draft,
      access_token,
    })
    equal(created.owner, visitor.address)
  },
  'publish-with-what-it-needs': async ({ me, fresh }) => {
    const [step, line] = [fresh('part'), fresh('whole')]
    await me.draft('transformation', step, 'return x + 4;')
    await me.compose(line, [{ steps: [[step]] }])
    const { status, missing } = await me.refusal('prepare_publication', { kind: 'connector', name: line })
    equal(status, 409)
    deepEqual(missing, [`transformation/${step}`])
    await me.publish('transformation', step)
    await me.publish('connector', line)
    equal((await onChain(me, 'connector', line)).owner, me.address)
  },
  'publish-a-condition': async ({ me, fresh }) => {
    const name = fresh('odd')
    await me.draft('condition', name, 'return args[0] % 2 == 1;')
    await me.publish('condition', name)
    equal((await onChain(me, 'condition', name)).owner, me.address)
  },
  'only-what-is-missing': async ({ me, network: { names }, fresh }) => {
    const line = fresh('sevens')
    await me.compose(line, [{ steps: [[names.add, 7]] }])
    const { items } = await me.value<{ items: { kind: Kind; name: string; entry: object | null }[] }>(
      'publish_plan',
      { kind: 'connector', name: line },
    )
    const missing = items.filter(({ entry }) => entry === null)
    deepEqual(
      missing.map(({ name }) => name),
      [line],
    )
    for (const { kind, name } of missing) await me.publish(kind, name)
    equal((await onChain(me, 'connector', line)).owner, me.address)
  },
  'published-before': async ({ me, fresh }) => {
    const name = fresh('once')
    await me.draft('transformation', name, 'return x + 8;')
    await me.publish('transformation', name)
    equal((await me.prepare('transformation', name)).status, 'published')
  },
  'somebody-elses-draft': async ({ me, network: { ada }, fresh }) => {
    const name = fresh('of_ada')
    await ada.draft('transformation', name, 'return x + 9;')
    const { status } = await me.refusal('prepare_publication', { kind: 'transformation', name })
    ok(status === 403 || status === 404)
    equal((await me.value<{ address: string }>('read_transformation', { name })).address, '0x0')
  },
  'publish-by-a-grant': async ({ me, network: { delegate, grant }, fresh }) => {
    const name = fresh('granted')
    await delegate.draft('transformation', name, 'return x + 11;')
    const before = await delegate.value<Grant>('read_grant', { id: grant })
    const signed = await prepareByGrant(delegate, grant, 'transformation', name)
    const { tx_hash } = await delegate.value<{ tx_hash: string }>('publish_by_grant', signed)
    const [entity] = signed.entities
    ok(entity)
    await delegate.confirm(entity, tx_hash)
    equal((await onChain(me, 'transformation', name)).owner, delegate.address)
    const after = await delegate.value<Grant>('read_grant', { id: grant })
    equal(after.used_publications, before.used_publications + 1)
    ok(BigInt(after.spent) > BigInt(before.spent))
  },
  'grant-for-other-kinds': async ({ network: { delegate, grant }, fresh }) => {
    const name = fresh('not_granted')
    await delegate.draft('condition', name, 'return true;')
    const signed = await prepareByGrant(delegate, grant, 'condition', name)
    const { status, message } = await delegate.refusal('publish_by_grant', signed)
    equal(status, 403)
    match(message, /condition|kind/i)
    equal((await delegate.value<{ address: string }>('read_condition', { name })).address, '0x0')
  },
  'what-a-grant-leaves': async ({ me, network: { grant, published, delegate } }) => {
    const {
      publications,
      used_publications: used,
      budget,
      spent,
    } = await me.value<Grant>('read_grant', {
      id: grant,
    })
    equal(used, published.filter(({ owner }) => owner === delegate.address).length)
    ok(used < publications && BigInt(spent) < BigInt(budget))
  },
  'draft-for-an-account': async ({ network: { connected }, fresh }) => {
    const name = fresh('by_account')
    const created = await connected.value<{ owner: string }>('create_transformation', {
      name,
      sol_src: 'return x + 12;',
    })
    equal(created.owner, connected.address)
    const { tools } = await connected.agent.client.listTools()
    ok(tools.every((tool) => tool.name !== 'log_in'))
  },
}
