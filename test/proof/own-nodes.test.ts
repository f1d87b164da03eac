import { createServer } from 'node:http'
import { keccak256, toRlp } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeHeader } from '../../lib/engine/proof/header.ts'
import { nodeAt } from '../../lib/engine/proof/node.ts'
import { decodeRlp } from '../../lib/engine/proof/rlp.ts'
import { pageHeaders } from '../../lib/server/page-policy/page-headers.ts'
import { OWN_NODES_SCRIPT } from '../../lib/ui/run/prove/built/own-nodes-script.ts'
import { ownNodesPage } from '../../lib/ui/run/prove/own-nodes-page.ts'
import { launchBrowser, WITHOUT_GPU } from '../../scripts/browser/launch.ts'
import { listen } from '../support/listen.ts'
import { type ProvenNetwork, startProvenNetwork } from './network.ts'

let network: ProvenNetwork
let site: string
const cookies: (string | undefined)[] = []
const server = createServer((request, response) => {
  const [path = ''] = (request.url ?? '').split('?')
  cookies.push(request.headers.cookie)
  response.setHeader('Access-Control-Allow-Origin', '*')
  if (path === '/chain/connector/pair') {
    const dimensions = ['add', 'mix'].map((name) => ({ transformations: [{ name, args: [] }], bindings: {} }))
    response.setHeader('Content-Type', 'application/json')
    return void response.end(JSON.stringify({ name: 'pair', dimensions }))
  }
  const headers = pageHeaders(SETTINGS)(path)
  response.setHeaders(new Map(Object.entries(headers)))
  const [, nonce = ''] = /'nonce-([\w-]+)'/.exec(headers['Content-Security-Policy']) ?? []
  const { registry, runner, connector, count, starts } = network.run('pair')
  const run = {
    registry,
    runner,
    connector,
    count,
    starts,
    ranAt: null,
    site,
    href: '/run/pair',
    node: undefined,
  }
  response.setHeader('Content-Type', 'text/html; charset=utf-8')
  response.end(ownNodesPage(run, OWN_NODES_SCRIPT, nonce))
})
const SETTINGS = {
  get siteOrigin() {
    return site
  },
  assetOrigin: undefined,
  walletConnectProjectId: undefined,
  rpcUrl: undefined,
  inlineScripts: [],
}

beforeAll(async () => {
  network = await startProvenNetwork()
  site = `http://127.0.0.1:${await listen(server)}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await network?.close()
})

test('a reader proves a run by any nodes, apart from the session, and sees where two disagree', async () => {
  const { chain } = network.registry
  const real = nodeAt(chain.url)
  let lie = false
  const browser = await launchBrowser(WITHOUT_GPU)
  try {
    const context = await browser.newContext()
    await context.addCookies([{ name: 'session', value: 'secret', url: site }])
    // Two nodes of different operators, of which one may make up a block that hashes to what it says.
    for (const host of ['a.example', 'b.example', 'silent.example']) {
      await context.route(`https://${host}/**`, async (route) => {
        if (host === 'silent.example') return route.abort()
        const headers = {
          ...{ 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' },
          'Content-Type': 'application/json',
        }
        if (route.request().method() === 'OPTIONS') return route.fulfill({ status: 204, headers })
        const { id, method, params } = route.request().postDataJSON()
        let result = await real(method, params)
        if (lie && host === 'b.example' && method === 'eth_getBlockByNumber' && /^0x/.test(params[0])) {
          const fields = decodeRlp(encodeHeader(result) as Uint8Array) as Uint8Array[]
          const hash = keccak256(toRlp(fields.with(12, Uint8Array.of(7)), 'hex'))
          result = { ...(result as object), extraData: '0x07', hash }
        }
        await route.fulfill({ headers, body: JSON.stringify({ jsonrpc: '2.0', id, result }) })
      })
    }
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(`${site}/run/pair/prove?count=16`)
    cookies.splice(0)
    const prove = async (...nodes: string[]) => {
      await page.getByLabel('Addresses of nodes').fill(nodes.join('\n'))
      await page.getByRole('button', { name: 'Prove' }).click()
      await page.locator('#prove:enabled').waitFor()
      return page.getByRole('status').textContent()
    }
    expect(await prove('https://a.example/key', 'https://b.example', 'https://silent.example')).toMatch(
      /^ProvenProven: the 32 values .*the word of 2 sources that agreed \(a\.example, b\.example\)\.No header came from silent\.example\./,
    )
    const download = page.waitForEvent('download')
    await page.getByText('Download certificate').click()
    expect((await download).suggestedFilename()).toBe('pair.weft.json')
    lie = true
    expect(await prove('https://a.example', 'https://b.example')).toMatch(
      /^RefutedThe sources disagree about block \d+: a\.example says 0x\w{64}, b\.example says 0x\w{64}\.$/,
    )
    expect(await prove('ftp://a.example')).toMatch(/^Not proven“ftp:\/\/a\.example” is no address of a node/)
    expect(await prove('https://silent.example')).toBe('Not provenNo source of headers answers.')

    // The page is of no site: neither cookies nor storage, and its requests carry none.
    expect(await page.evaluate(() => origin)).toBe('null')
    expect(await page.evaluate(() => localStorage.length).catch(() => 'refused')).toBe('refused')
    expect(await page.evaluate(() => document.cookie).catch(() => 'refused')).toBe('refused')
    expect(cookies.filter((cookie) => cookie !== undefined)).toEqual([])
    expect(cookies.length).toBeGreaterThan(0)
    expect(complaints.filter((text) => !/Failed to load resource/.test(text))).toEqual([])
  } finally {
    await browser.close()
  }
})
