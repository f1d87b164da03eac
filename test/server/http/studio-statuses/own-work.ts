import { expect, test } from 'vitest'
import { registerClient } from '#lib/features/agents/agent-clients.ts'
import { reach } from '../studio-requests.ts'
import { account, ada, ben, main, NO_LINK } from './servers.ts'

/** Answers about what belongs to an account: workspaces, marks, links, applications and webhooks. */
export function ownWorkStatuses(): void {
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
    for (const reader of [{ token }, { token: 'ended' }, {}]) {
      const { text } = await reach(main, 'GET_marks 200', 'GET', '/marks/connector/nothing_published', reader)
      expect(JSON.parse(text)).toEqual({ marks: [] })
    }
    await reach(main, 'GET_marks 400', 'GET', '/marks/loom/any', { token })
    await reach(main, 'GET_saved 200', 'GET', '/saved/connector', { token })
    await reach(main, 'GET_saved 400', 'GET', '/saved/format', { token })
    await reach(main, 'POST_seenNotices 204', 'POST', '/notices/seen', { token })
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
}
