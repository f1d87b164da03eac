import type { AddressInfo } from 'node:net'
import { SignClient } from '@walletconnect/sign-client'
import type { BrowserContext, Page } from 'playwright'
import type { Hex } from 'viem'
import { WebSocketServer } from 'ws'
import type { SigningAccount } from './smart-accounts.ts'

export interface WalletConnectRelay {
  readonly url: string
  close(): void
}

/** A relay of WalletConnect: stores messages by topic and delivers them to subscribers. */
export async function startWalletConnectRelay(): Promise<WalletConnectRelay> {
  const server = startRelay()
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      for (const client of server.clients) client.terminate()
      server.close()
    },
  }
}

/** Connects pages to a relay of the test, with a project id, which the site under test does not have. */
export async function connectToRelay(pages: Page | BrowserContext, relay: WalletConnectRelay): Promise<void> {
  await pages.routeWebSocket(/^wss:/, (socket) => {
    const upstream = new WebSocket(relay.url)
    const early: string[] = []
    socket.onMessage((message) =>
      upstream.readyState === 1 ? upstream.send(String(message)) : early.push(String(message)),
    )
    upstream.addEventListener('open', () => early.splice(0).forEach((message) => void upstream.send(message)))
    upstream.addEventListener('message', ({ data }) => socket.send(String(data)))
    upstream.addEventListener('close', () => socket.close())
  })
  await pages.route('**/session/network', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), wallet_connect: '0'.repeat(32) } })
  })
}

function startRelay(): WebSocketServer {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  const messages = new Map<string, { topic: string; message: string; publishedAt: number; tag: number }[]>()
  const subscribers = new Map<string, Set<(data: unknown) => void>>()
  let next = 1
  server.on('connection', (socket) => {
    const deliver = (data: unknown) => {
      const params = { id: 'subscription', data }
      socket.send(
        JSON.stringify({
          id: Date.now() * 1000 + next++,
          jsonrpc: '2.0',
          method: 'irn_subscription',
          params,
        }),
      )
    }
    const subscribe = (topic: string): string => {
      subscribers.set(topic, (subscribers.get(topic) ?? new Set()).add(deliver))
      for (const message of messages.get(topic) ?? []) setTimeout(() => deliver(message), 5)
      return `subscription-${topic}`
    }
    const publish = (topic: string, message: string, tag: number) => {
      const kept = { topic, message, publishedAt: Date.now(), tag }
      messages.set(topic, [...(messages.get(topic) ?? []), kept])
      for (const each of subscribers.get(topic) ?? []) if (each !== deliver) each(kept)
    }
    socket.on('message', (raw) => {
      const { id, method, params } = JSON.parse(String(raw))
      const answer = (result: unknown) => socket.send(JSON.stringify({ id, jsonrpc: '2.0', result }))
      if (method === 'irn_subscribe') answer(subscribe(params.topic))
      else if (method === 'irn_batchSubscribe') answer(params.topics.map(subscribe))
      else if (method === 'irn_batchFetchMessages') answer({ messages: [], hasMore: false })
      else if (method === 'irn_publish') {
        publish(params.topic, params.message, params.tag)
        answer(true)
      } else if (method === 'wc_proposeSession') {
        subscribe(params.pairingTopic)
        publish(params.pairingTopic, params.sessionProposal, 1100)
        answer(true)
      } else if (method === 'wc_approveSession') {
        subscribe(params.sessionTopic)
        publish(params.pairingTopic, params.sessionProposalResponse, 1101)
        publish(params.sessionTopic, params.sessionSettlementRequest, 1102)
        answer(true)
      } else if (method !== undefined) answer(true)
    })
  })
  return server
}

/**
 * A wallet on a phone that accepts every request.
 *
 * @param asked Receives the method of every request.
 * @param options.chainId The chain that it is on; default: the one it is asked for.
 * @param options.declines Methods that its user declines.
 * @param options.silent It does not tell the page that its account is on a chain that it has added.
 */
export async function startPhone(
  relayUrl: string,
  signer: Pick<SigningAccount, 'address' | 'signMessage' | 'signTypedData'>,
  asked: string[],
  {
    chainId,
    declines,
    silent = false,
  }: { readonly chainId?: number; readonly declines?: ReadonlySet<string>; readonly silent?: boolean } = {},
) {
  const metadata = { name: 'Phone', description: '', url: 'https://phone.example', icons: [] }
  // Clients of one name share what they have stored.
  const phone = await SignClient.init({ ...memory(`phone-${crypto.randomUUID()}`), relayUrl, metadata })
  phone.on('session_proposal', async ({ id, params }) => {
    const { chains = [], methods = [], events = [] } = params.optionalNamespaces.eip155 ?? {}
    const shown = chainId === undefined ? chains : [`eip155:${chainId}`]
    const accounts = shown.map((chain) => `${chain}:${signer.address}`)
    await phone.approve({
      id,
      namespaces: { eip155: { chains: [...new Set([...shown, ...chains])], methods, events, accounts } },
    })
  })
  phone.on('session_request', async ({ topic, id, params }) => {
    const { method, params: values } = params.request
    asked.push(method)
    const respond = (answer: { result: unknown } | { error: { code: number; message: string } }) =>
      phone.respond({ topic, response: { id, jsonrpc: '2.0', ...answer } })
    if (declines?.has(method)) {
      await respond({ error: { code: 4001, message: 'User rejected the request.' } })
    } else if (method === 'personal_sign') {
      await respond({ result: await signer.signMessage(values[0] as Hex) })
    } else if (method === 'eth_signTypedData_v4') {
      await respond({ result: await signer.signTypedData(String(values[1])) })
    } else if (method === 'wallet_switchEthereumChain') {
      await respond({ error: { code: 4902, message: 'Unrecognized chain ID' } })
    } else if (method === 'wallet_addEthereumChain') {
      const { eip155 } = phone.session.get(topic).namespaces
      const account = `eip155:${Number((values[0] as { chainId: Hex }).chainId)}:${signer.address}`
      if (!silent && eip155 !== undefined) {
        const namespaces = { eip155: { ...eip155, accounts: [...eip155.accounts, account] } }
        await (await phone.update({ topic, namespaces })).acknowledged()
      }
      await respond({ result: null })
    } else {
      await respond({ error: { code: 4200, message: `${method} is not supported` } })
    }
  })
  return phone
}

/** Options of a client that leaves nothing on the disk. */
export function memory(name: string) {
  return {
    projectId: '0'.repeat(32),
    logger: 'silent',
    telemetryEnabled: false,
    customStoragePrefix: name,
    storageOptions: { database: ':memory:' },
  } as const
}
