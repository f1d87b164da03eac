import type { Logger } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { connectChain } from '#lib/chain/access.ts'
import { describeFacts } from '#lib/chain/nodes/describe-node.ts'
import { isRateError, retryAfterMs } from '#lib/chain/nodes/failover.ts'
import type { NodeStatus } from '#lib/chain/nodes/pool.ts'
import type { NodeFacts } from '#lib/chain/nodes/probe.ts'
import { nodeWords, wordsOfBody } from '#lib/chain/nodes/words.ts'
import { chainUnavailable } from '#lib/chain/provider.ts'
import { chainSource } from '#lib/core/indexer/chain-source.ts'
import { openLogRange, requestUpTo } from '#lib/core/indexer/request-size.ts'
import { createLog } from '#lib/platform/log/create-log.ts'
import { createScrubber } from '#lib/platform/log/scrub.ts'
import { type RpcProxy, startRpcProxy } from '#test/support/rpc-proxy.ts'
import { until } from '#test/support/until.ts'

const CONTRACT = `0x${'1'.repeat(40)}` as const
const opened: RpcProxy[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((proxy) => proxy.close()))
})

/** A node of chain 7 at some height, without a chain behind it. */
async function node(head = 100): Promise<RpcProxy & { head: number; readonly calls: string[] }> {
  const proxy = await startRpcProxy('http://127.0.0.1:1')
  const own = Object.assign(proxy, { head, calls: [] as string[] })
  own.intervene = ({ method }) => {
    own.calls.push(method)
    if (method === 'eth_chainId') return { result: '0x7' }
    if (method === 'eth_blockNumber') return { result: `0x${own.head.toString(16)}` }
    if (method === 'eth_getBlockByNumber') {
      return {
        result: { number: `0x${own.head.toString(16)}`, timestamp: '0x1', hash: null, transactions: [] },
      }
    }
    return { code: -32_601, message: 'no such method' }
  }
  opened.push(own)
  return own
}

async function connect(nodes: readonly RpcProxy[], limits = {}, log?: Logger) {
  const chain = await connectChain(
    {
      chainRpcUrl: nodes.map(({ url }) => `${url}?key=secret-of-the-plan`).join(', '),
      registryAddress: CONTRACT,
      runnerAddress: CONTRACT,
      node: limits,
    },
    log && { log },
  )
  if (chain === undefined) throw new Error('no chain')
  return chain
}

describe('several nodes', () => {
  test('the log has failover, pauses, wrong chains and disagreement, each once, by host', async () => {
    const lines: Record<string, unknown>[] = []
    const log = createLog({ base: null, secrets: [] }, { write: (line) => lines.push(JSON.parse(line)) })
    const [first, second] = [await node(), await node()]
    const chain = await connect([first, second], {}, log)
    const [one, two] = [first, second].map(({ url }) => new URL(url).host)
    const blocks = async (times: number) => {
      for (let i = 0; i < times; i++)
        await chain.direct.getBlock({ blockTag: 'latest' }).catch(() => undefined)
    }
    const said = () => lines.map(({ msg, node: host }) => `${host === one ? 'one' : 'two'}: ${msg}`)
    await blocks(2)
    expect(lines).toEqual([])

    first.refuse = () => ({ status: 503, body: 'gone for lunch' })
    await blocks(4)
    expect(said()).toEqual(['one: A node does not answer', 'two: Another node answers from now on'])
    expect(lines[0]).toMatchObject({ chain: 7, reason: 'gone for lunch', durationMs: expect.any(Number) })
    expect(lines[1]).toMatchObject({ chain: 7, instead: one, durationMs: expect.any(Number) })
    first.refuse = () => undefined
    await until('used again', async () => {
      await blocks(1)
      return said().length === 4
    })
    expect(said().slice(2)).toEqual(['one: A node answers again', 'one: Another node answers from now on'])
    expect(lines[2]).toMatchObject({ node: one, chain: 7, durationMs: expect.any(Number) })

    lines.length = 0
    first.refuse = () => ({ status: 429, headers: { 'Retry-After': '600' }, body: 'too many requests' })
    await blocks(3)
    expect(said()).toEqual([
      'one: A node takes no more requests for a while',
      'two: Another node answers from now on',
    ])
    expect(lines[0]).toMatchObject({ pauseMs: 600_000 })

    lines.length = 0
    const other = await node()
    const pass = other.intervene
    other.intervene = (call) => (call.method === 'eth_chainId' ? { result: '0x8' } : pass(call))
    const mixed = await connect([second, other], { quorum: 2 }, log)
    await mixed.direct.getBlock({ blockTag: 'latest' }).catch(() => undefined)
    await until('the wrong chain is found', async () => {
      await mixed.agreed.getChainId().catch(() => undefined)
      return lines.length > 0
    })
    expect(lines).toMatchObject([
      {
        level: 50,
        chain: 7,
        msg: 'A node serves another chain and is not used',
        reason: expect.stringContaining('chain 8'),
      },
    ])

    const third = await node()
    third.intervene = (call) => (call.method === 'eth_getCode' ? { result: '0x02' } : pass(call))
    const split = await connect([second, third], { quorum: 2 }, log)
    for (let i = 0; i < 3; i++) await split.agreed.getCode({ address: CONTRACT }).catch(() => undefined)
    expect(lines.slice(1)).toEqual([])
    second.intervene = (call) => (call.method === 'eth_getCode' ? { result: '0x01' } : pass(call))
    for (let i = 0; i < 3; i++) await split.agreed.getCode({ address: CONTRACT }).catch(() => undefined)
    const about = 'the code of an entity'
    expect(lines.slice(1)).toMatchObject([
      { node: two, about, msg: 'A node says something else than another one' },
      { node: new URL(third.url).host, about },
    ])
    expect(JSON.stringify(lines)).not.toContain('secret-of-the-plan')
  })

  test('the first answers while it can, then the next, and the first again when it is back', async () => {
    const [first, second] = [await node(), await node()]
    const chain = await connect([first, second])
    expect(await chain.direct.getChainId()).toBe(7)
    expect(second.calls).not.toContain('eth_getBlockByNumber')
    first.refuse = () => ({ status: 503, body: 'gone for lunch' })
    expect(await chain.direct.getChainId()).toBe(7)
    expect(chain.nodes.status()).toMatchObject([
      { state: 'down', words: 'gone for lunch', preferred: false },
      { preferred: true },
    ])
    first.refuse = () => undefined
    await until('used again', async () => {
      await chain.direct.getBlock({ blockTag: 'latest' }).catch(() => undefined)
      return chain.nodes.status()[0]?.preferred === true
    })
  })

  test('an outage of all but one loses no request', async () => {
    const nodes = [await node(), await node(), await node()]
    const chain = await connect(nodes)
    const lost = nodes.slice(0, 2)
    for (const each of lost) await each.close()
    const ask = () => chain.public.request({ method: 'eth_blockNumber' })
    const answers = await Promise.all(Array.from({ length: 100 }, ask))
    expect(new Set(answers)).toEqual(new Set(['0x64']))
    expect(chain.nodes.status().map(({ state }) => state === 'down')).toEqual([true, true, false])
  })

  test('one of another chain is never asked for anything', async () => {
    const [first, stranger] = [await node(), await node()]
    stranger.intervene = ({ method }) => {
      stranger.calls.push(method)
      return { result: '0x8' }
    }
    const chain = await connect([first, stranger])
    expect(await chain.direct.getChainId()).toBe(7)
    first.refuse = () => ({ status: 503 })
    await expect(chain.direct.request({ method: 'eth_gasPrice' })).rejects.toThrow()
    expect(new Set(stranger.calls)).toEqual(new Set(['eth_chainId']))
    expect(chain.nodes.status()[1]).toMatchObject({ state: 'down', words: 'it serves chain 8, not chain 7' })
  })

  test('one that is far behind is asked after the others', async () => {
    const [slow, quick] = [await node(100), await node(1000)]
    const chain = await connect([slow, quick])
    await until('behind', async () => {
      await chain.direct.getBlock({ blockTag: 'latest' }).catch(() => undefined)
      return chain.nodes.status()[0]?.state === 'lagging'
    })
    quick.calls.length = 0
    await chain.direct.getChainId()
    expect(quick.calls).toContain('eth_chainId')
  })

  test('429 pauses a node for as long as it asks', async () => {
    const [limited, other] = [await node(), await node()]
    let requests = 0
    limited.refuse = () => {
      requests += 1
      return { status: 429, headers: { 'Retry-After': '600' }, body: '{"error":"calm down"}' }
    }
    const chain = await connect([limited, other])
    for (let i = 0; i < 20; i++) await chain.direct.getChainId()
    expect(requests).toBe(1)
    expect(chain.nodes.status()[0]).toMatchObject({ state: 'paused', words: 'calm down' })
    other.refuse = limited.refuse
    await expect(chain.verify()).rejects.toThrow(/it says: calm down; it is asked again in \d+ s/)
    expect(requests).toBe(2)
  })

  test('a state that one node has deleted is read from another', async () => {
    const [pruned, archive] = [await node(), await node()]
    pruned.intervene = () => ({
      code: -32_000,
      message: 'missing trie node 7e5f (path ) state is not available',
    })
    archive.intervene = () => ({ result: '0x2a' })
    const chain = await connect([pruned, archive])
    const call = { method: 'eth_call', params: [{ to: CONTRACT }, '0x1'] } as never
    expect(await chain.heavy.request(call)).toBe('0x2a')
    expect(chain.nodes.status()[0]).toMatchObject({ state: 'answers', preferred: true })
    archive.intervene = pruned.intervene
    await expect(chain.heavy.request(call)).rejects.toThrow('missing trie node')
  })

  test('a contract that reverts with the words of a rate limit pauses no node', async () => {
    expect(isRateError({ code: 3, message: 'execution reverted: too many requests' })).toBe(false)
    expect(isRateError({ code: -32_000, message: 'execution reverted: quota' })).toBe(false)
    expect(isRateError({ code: -32_005, message: 'too many requests' })).toBe(true)
    expect(isRateError({ code: -32_005, message: 'query returned more than 10000 results' })).toBe(false)
    expect(isRateError({ code: 429, message: '' })).toBe(true)
  })
})

describe('batches', () => {
  test('shrink to what a node takes, and keep their order', async () => {
    const small = await node()
    small.intervene = ({ params }) => ({ result: params[0] })
    const sizes: number[] = []
    small.refuse = (calls) => {
      sizes.push(calls.length)
      return calls.length > 3
        ? { status: 500, body: '{"message":"Batch of more than 3 requests are not allowed","code":31}' }
        : undefined
    }
    const chain = await connect([small])
    const keys = Array.from({ length: 40 }, (_, i) => `0x${i.toString(16)}`)
    const ask = () =>
      Promise.all(keys.map((key) => chain.public.request({ method: 'eth_echo', params: [key] } as never)))
    expect(await ask()).toEqual(keys)
    sizes.length = 0
    expect(await ask()).toEqual(keys)
    expect(Math.max(...sizes)).toBe(3)
  })

  test('stay as they are when one call is what the node refuses', async () => {
    const strict = await node()
    strict.intervene = ({ params }) => ({ result: params[0] })
    strict.refuse = (calls) =>
      calls.some(({ params }) => params[0] === '0xbad') ? { status: 400, body: 'bad range' } : undefined
    const chain = await connect([strict])
    const ask = (keys: readonly string[]) =>
      Promise.allSettled(
        keys.map((key) => chain.public.request({ method: 'eth_echo', params: [key] } as never)),
      )
    const outcomes = await ask(['0x1', '0xbad', '0x2'])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    let largest = 0
    strict.refuse = (calls) => {
      largest = Math.max(largest, calls.length)
      return undefined
    }
    await ask(['0x1', '0x2', '0x3'])
    expect(largest).toBe(3)
  })

  test('have the size of the setting', async () => {
    const any = await node()
    const chain = await connect([any], { batchSize: 2 })
    let largest = 0
    any.refuse = (calls) => {
      largest = Math.max(largest, calls.length)
      return undefined
    }
    const ask = () => chain.public.request({ method: 'eth_blockNumber' })
    await Promise.all(Array.from({ length: 9 }, ask))
    expect(largest).toBe(2)
  })
})

describe('settings', () => {
  test('of what a node can do stand in for the probe', async () => {
    const any = await node()
    const settings = {
      ...{ batchSize: 7, logRange: 9, stateBlocks: 11 },
      ...{ tags: true, proofs: true, callGas: 13n, newHeads: true, logResults: 17 },
    }
    const { nodes } = await connect([any], settings)
    await nodes.probe(CONTRACT)
    const [{ facts }] = nodes.status() as [NodeStatus]
    expect(facts).toMatchObject({ batchSize: 7, logRange: 9, stateBlocks: 11, callGas: 13n })
    expect(facts).toMatchObject({ safeTag: true, finalizedTag: true, proofs: true, newHeads: true })
    expect(nodes).toMatchObject({ logRange: 9, logResults: 17, tags: true })
    expect(new Set(any.calls)).toEqual(new Set(['eth_chainId', 'eth_getBlockByNumber', 'web3_clientVersion']))
  })

  test('without them what it lacks is found', async () => {
    const { nodes } = await connect([await node()])
    await nodes.probe(CONTRACT)
    expect(nodes.status()[0]?.facts).toMatchObject({ proofs: false, callGas: undefined, batchSize: 64 })
    expect(nodes).toMatchObject({ logRange: undefined, logResults: undefined, tags: true })
  })

  test('a node said to have no tags is not asked for them', async () => {
    const any = await node()
    const asked: unknown[] = []
    const answer = any.intervene
    any.intervene = (call) => {
      if (call.method === 'eth_getBlockByNumber') asked.push(call.params[0])
      if (call.method !== 'eth_getBlockByNumber') return answer(call)
      const zero = `0x${'0'.repeat(64)}`
      return { result: { number: '0x64', hash: zero, parentHash: zero, timestamp: '0x1', transactions: [] } }
    }
    const source = chainSource(await connect([any], { tags: false }), { safeDepth: 3, finalizedDepth: 5 })
    expect(await source.heads(true)).toMatchObject({ head: { number: 100 }, safe: 97 })
    expect(asked).not.toContain('safe')
    expect(asked).not.toContain('finalized')
  })

  test('as many events as its limit are read again in smaller ranges', async () => {
    const any = await node()
    const log = (block: number) => ({
      ...{ address: CONTRACT, topics: [], data: '0x', removed: false },
      ...{ transactionHash: `0x${'2'.repeat(64)}`, blockHash: `0x${'3'.repeat(64)}` },
      ...{ transactionIndex: '0x0', logIndex: '0x0', blockNumber: `0x${block.toString(16)}` },
    })
    const answer = any.intervene
    any.intervene = (call) => {
      if (call.method !== 'eth_getLogs') return answer(call)
      const [{ fromBlock, toBlock }] = call.params as [{ fromBlock: string; toBlock: string }]
      const all = Array.from({ length: Number(toBlock) - Number(fromBlock) + 1 }, (_, i) => i)
      // Without a word.
      return { result: all.slice(0, 4).map((i) => log(Number(fromBlock) + i)) }
    }
    const source = chainSource(await connect([any], { logResults: 4 }), { safeDepth: 3, finalizedDepth: 5 })
    const size = openLogRange()
    const { count, answer: found } = await requestUpTo(size, 40, 'read events', (n) =>
      source.range(1, n, { linked: false, heads: false }),
    )
    expect(count).toBeLessThan(4)
    expect(found?.logs).toHaveLength(count)
  })
})

describe('limits of a plan', () => {
  test('calls above the rate of the setting wait', async () => {
    const only = await node()
    const chain = await connect([only], { perSecond: 100 })
    const began = performance.now()
    for (let i = 0; i < 150; i++) await chain.direct.getChainId()
    // 150 calls, of which 100 may come at once.
    expect(performance.now() - began).toBeGreaterThan(350)
  })

  test('Retry-After has seconds or a date', () => {
    const read = (value: string) => retryAfterMs(new Headers({ 'Retry-After': value }), Date.UTC(2026, 0, 1))
    expect(read('7')).toBe(7000)
    expect(read('Thu, 01 Jan 2026 00:00:09 GMT')).toBe(9000)
    expect(read('99999999')).toBe(600_000)
    for (const value of ['soon', '-1', '']) expect(read(value)).toBeUndefined()
  })
})

describe('words of a node', () => {
  test('carry neither addresses, keys, markup nor more than a line', () => {
    expect(nodeWords('see https://node.example/v2/SECRETKEY1234 for\n\u0007 plans')).toBe(
      'see [address] for plans',
    )
    expect(nodeWords('project 0123456789abcdef0123456789abcdef is over its limit')).toBe(
      'project […] is over its limit',
    )
    expect(nodeWords(`block 0x${'ab'.repeat(32)} not found`)).toBe(`block 0x${'ab'.repeat(32)} not found`)
    expect(nodeWords('<script>alert(1)</script>')).not.toMatch(/[<>]/)
    expect(nodeWords('x '.repeat(100_000))?.length).toBeLessThanOrEqual(200)
    expect(nodeWords(' \n')).toBeUndefined()
    expect(wordsOfBody('<html><body>502</body></html>')).toBeUndefined()
    expect(wordsOfBody('{"error":{"code":1,"message":"over quota"}}')).toBe('over quota')
    expect(wordsOfBody('{"message":"Batch of more than 3","code":31}')).toBe('Batch of more than 3')
  })

  test('stand in the failure', async () => {
    const refusing = await node()
    refusing.refuse = () => ({ status: 403, body: '{"error":{"code":-32000,"message":"key is disabled"}}' })
    const chain = await connect([refusing])
    const error = await chain.verify().catch((failure: unknown) => failure)
    expect(String(error)).toMatch(/Could not reach the chain.*\(it says: key is disabled\)/)
    expect(chainUnavailable('look').message).toBe(
      'Could not look: the chain endpoint is unavailable; try again later',
    )
  })

  test('do not repeat the key of their address', async () => {
    const chatty = await node()
    chatty.refuse = () => ({ status: 403, body: '{"message":"key tiny-key is disabled"}' })
    const chain = await connect([{ ...chatty, url: `${chatty.url}/v2/tiny-key` }])
    await expect(chain.verify()).rejects.toThrow('it says: key […] is disabled')
    chatty.refuse = () => undefined
    chatty.intervene = () => ({ code: -32_000, message: 'no plan for tiny-key' })
    await expect(chain.verify()).rejects.toThrow('it says: no plan for […]')
  })

  test('of a list of addresses none is logged', () => {
    const scrub = createScrubber(
      {
        CHAIN_RPC_URL: 'https://a.example/key-of-one, https://b.example/?k=key-of-two',
      },
      ['CHAIN_RPC_URL'],
    )
    expect(scrub('at key-of-one and ?k=key-of-two')).toBe('at [secret] and [secret]')
  })
})

describe('what a node can do', () => {
  const base: NodeFacts = {
    probedAtMs: 0,
    chainId: 8453,
    client: 'Geth/v1.16.2',
    batchSize: 64,
    logRange: 10_000,
    safeTag: true,
    finalizedTag: true,
    stateBlocks: 128,
    proofs: true,
    callGas: undefined,
    newHeads: undefined,
    skewMs: 300,
    head: 1_000_000,
    blockTimeMs: 2000,
  }
  const says = (change: Partial<NodeFacts>) => describeFacts({ ...base, ...change }).join(' ')

  test('is said in words, with what to set', () => {
    expect(says({})).toContain('It keeps 128 blocks of state: runs can be re-executed for 4 minutes.')
    expect(says({ chainId: 42_161 })).toContain('re-executed for 32 seconds')
    expect(says({ chainId: 1 })).toContain('re-executed for 26 minutes')
    expect(says({ stateBlocks: 'all' })).toContain('the state of every block')
    expect(says({ stateBlocks: 0 })).toContain('Add an archive node')
    expect(says({ logRange: 10 })).toContain('set DEPLOYMENT_BLOCK')
    expect(says({ safeTag: false, finalizedTag: false })).toContain('SAFE_DEPTH and FINALIZED_DEPTH')
    expect(says({ callGas: 50_000_000n })).toContain('at most 50,000,000 gas')
    expect(says({ skewMs: -120_000 })).toContain('2 minutes behind')
    expect(says({ proofs: false })).toContain('eth_getProof')
    expect(says({})).not.toContain('WebSocket')
    expect(says({ newHeads: true })).toContain('announces new blocks over a WebSocket: CHAIN_WS_URL')
    expect(says({ newHeads: false })).toContain('offers no WebSocket')
  })
})
