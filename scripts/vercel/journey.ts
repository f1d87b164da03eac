import { setTimeout as sleep } from 'node:timers/promises'
import type { LocalAccount } from 'viem'
import { publishExampleNetwork } from '../example-network/publish.ts'
import { publishSampleWorlds } from '../example-network/sample-worlds.ts'

/** Where the site is, and who tries it. */
export interface Tried {
  readonly origin: string
  readonly chainId: number
  readonly account: LocalAccount
  /** Where browsers reach the chain. */
  readonly rpcUrl: string
  /** A published connector. */
  readonly connector: string
  /** Path of the script with which workers in the browser begin. */
  readonly workerScript: string
}

/** One thing that people do, and what came of it in a few words. @throws Error that says what is wrong. */
export type Step = readonly [what: string, run: () => Promise<string>]

/** What programs and people do, in the order in which it depends on each other; it leaves the example network. */
export function apiSteps({ origin, chainId, account, connector }: Tried): readonly Step[] {
  const { send, json } = clientOf(origin)
  const url = (path: string) => origin + path
  return [
    ['health, once the worker is there', health],
    [
      'chain API: sign in, compile, draft, publish the example network',
      async () => {
        await publishExampleNetwork(url('/chain'), account)
        return 'published'
      },
    ],
    [
      'chain API: simulate and execute',
      async () => {
        const body = { connector_name: connector, particles_count: 64, dynamic_ri: {} }
        const [simulated, executed] = await Promise.all([
          json<unknown[]>('/chain/simulate', { body }),
          json<{ particles: unknown }>('/chain/execute', { body }),
        ])
        if (JSON.stringify(simulated) !== JSON.stringify(executed.particles)) throw new Error('they differ')
        return `${simulated.length} streams, the same`
      },
    ],
    [
      'services API: sign in, upload the sample Worlds',
      async () => {
        await publishSampleWorlds(account, { api: url('/services'), siteOrigin: origin, chainId })
        return `${(await worlds()).length} Worlds`
      },
    ],
    [
      'a file of a World',
      async () => {
        const [world] = await worlds()
        const answered = await send(`/services/world-assets/${world?.id}/index.html`)
        const policy = answered.headers.get('content-security-policy') ?? ''
        if (!policy.includes("default-src 'none'")) throw new Error(`its policy is ${policy}`)
        return `${(await answered.text()).length} characters under its policy`
      },
    ],
    ['the site: sign in with a cookie', signInToSite],
    [
      'the studio: preview what nobody saved, keep it, try a body',
      async () => {
        const cookie = await cookieOf()
        const headers = { cookie, origin }
        const sol_src = 'return x * 2 + 1;'
        await json('/studio/api/preview', {
          headers,
          body: {
            bodies: [{ kind: 'transformation', name: 'unsaved', sol_src }],
            connectors: [
              { name: 'idea', dimensions: [{ transformations: [{ name: 'unsaved', args: [] }] }] },
            ],
            connector_name: 'idea',
            particles_count: 8,
            dynamic_ri: {},
          },
        })
        await json('/studio/api/compile', { headers, body: { kind: 'transformation', sol_src } })
        await json(`/studio/api/workspaces/${account.address}`, { headers })
        return 'compiled and run'
      },
    ],
    [
      'the feed, read and as a stream',
      async () => {
        const { items } = await json<{ items: unknown[] }>('/chain/feed?limit=5')
        const leaving = new AbortController()
        const { body } = await send('/chain/feed/stream', { signal: leaving.signal })
        const first = await body?.getReader().read()
        leaving.abort()
        const text = new TextDecoder().decode(first?.value)
        if (!text.includes('stream_meta')) throw new Error(`the stream begins with ${text}`)
        return `${items.length} items`
      },
    ],
    [
      'agents: the tools of /mcp',
      async () => {
        const headers = { accept: 'application/json, text/event-stream' }
        const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
        const answered = await (await send('/mcp', { headers, body })).text()
        return `${answered.match(/"inputSchema"/g)?.length ?? 0} tools`
      },
    ],
    ['a body larger than the platform takes', () => refusal('/services/worlds/upload', 5 * 1024 * 1024)],
  ]

  async function health(): Promise<string> {
    await send('/healthz')
    for (const giveUp = Date.now() + 30_000; ; await sleep(250)) {
      const { ok } = await fetch(url('/readyz'))
      if (ok) return 'ready'
      if (Date.now() > giveUp) await send('/readyz')
    }
  }

  function worlds(): Promise<{ id: string; slug: string }[]> {
    return json('/services/worlds')
  }

  async function cookieOf(): Promise<string> {
    const headers = { origin }
    const body = { address: account.address, chain_id: chainId }
    const { message } = await json<{ message: string }>('/services/auth/siwe/challenge', { headers, body })
    const signature = await account.signMessage({ message })
    const answered = await send('/session', { headers, body: { message, signature } })
    return answered.headers
      .getSetCookie()
      .map((each) => each.split(';', 1)[0])
      .join('; ')
  }

  async function signInToSite(): Promise<string> {
    const { session } = await json<{ session: { address: string } | null }>('/session', {
      headers: { cookie: await cookieOf(), origin },
    })
    if (session?.address !== account.address) throw new Error('the cookie stands for nobody')
    return 'signed in'
  }

  async function refusal(path: string, bytes: number): Promise<string> {
    const { status } = await fetch(url(path), { method: 'POST', body: new Uint8Array(bytes) })
    if (status !== 413) throw new Error(`answered ${status}`)
    return String(status)
  }
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON by POST; without it, GET. */
  readonly body?: unknown
  readonly signal?: AbortSignal
}

function clientOf(origin: string) {
  const send = async (path: string, { headers, body, signal }: Sent = {}): Promise<Response> => {
    const answered = await fetch(origin + path, {
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    if (!answered.ok) throw new Error(`${path}: ${answered.status} ${(await answered.text()).slice(0, 300)}`)
    return answered
  }
  const json = async <T>(path: string, sent?: Sent) => (await (await send(path, sent)).json()) as T
  return { send, json }
}
