import type { Frame, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMcpEndpoint } from '#lib/server/mcp/endpoint.ts'
import { TOOLS } from '#lib/server/mcp/tools.ts'
import { testBrowser } from '#test/support/browser.ts'
import { devAccount } from '#test/support/chain.ts'
import { startTestStack, type TestStack } from '#test/support/stack.ts'
import { type Agent, connectAgent } from './connect.ts'

/* The views of tools' results, in a host as MCP Apps (SEP-1865) describes it: a sandboxed frame, a policy, messages. */

const owner = devAccount(7).address
let stack: TestStack
let agent: Agent
const browser = testBrowser()

beforeAll(async () => {
  stack = await startTestStack()
  const endpoint = createMcpEndpoint({ services: async () => stack.services, validateResponses: true })
  agent = await connectAgent('http://localhost:3000/mcp', {
    fetch: (input, init) => endpoint(new Request(input, init)),
    token: await stack.token(owner),
  })
  await agent.client.listTools()
  for (const [name, step] of [
    ['slow', 'return x + 1;'],
    ['fast', 'return x + 2;'],
  ] as const) {
    await agent.call('create_transformation', { name: `${name}_step`, sol_src: step })
    const dimensions = [{ transformations: [{ name: `${name}_step` }] }]
    await agent.call('create_connector', { name, dimensions })
  }
})
afterAll(async () => {
  await agent?.client.close()
  await stack?.close()
})

/** The policy of a host for a view that names no origins. */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'"

async function viewOf(tool: string): Promise<string> {
  const { tools } = await agent.client.listTools()
  const ui = tools.find(({ name }) => name === tool)?._meta?.ui as { resourceUri: string }
  const { contents } = await agent.client.readResource({ uri: ui.resourceUri })
  const [content] = contents as [{ uri: string; mimeType: string; text: string; _meta: unknown }]
  expect(content).toMatchObject({ uri: ui.resourceUri, mimeType: 'text/html;profile=mcp-app' })
  expect(content._meta).toEqual({ ui: { csp: {}, prefersBorder: true } })
  return content.text
}

interface Shown {
  readonly page: Page
  readonly frame: Frame
  /** Messages of the view, in order. */
  messages(): Promise<{ method?: string; params?: Record<string, unknown> }[]>
}

/** Shows the view of a tool with a result, as a host does. */
async function show(tool: string, args: object, result: object): Promise<Shown> {
  const page = await browser().newPage()
  await page.setContent('<body></body>')
  const host = { html: await viewOf(tool), policy: POLICY, args, result }
  await page.evaluate(({ html, policy, args, result }) => {
    const seen: object[] = []
    Object.assign(window, { seen })
    const frame = document.createElement('iframe')
    frame.setAttribute('sandbox', 'allow-scripts')
    frame.width = '640'
    const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`
    frame.srcdoc = html.replace('<head>', `<head>${meta}`)
    const send = (message: object) => frame.contentWindow?.postMessage({ jsonrpc: '2.0', ...message }, '*')
    addEventListener('message', ({ source, data }) => {
      if (source !== frame.contentWindow) return
      seen.push(data)
      if (data.method === 'ui/initialize') {
        const hostContext = {
          theme: 'dark',
          styles: { variables: { '--color-text-primary': 'rgb(1, 2, 3)' } },
        }
        send({
          id: data.id,
          result: { protocolVersion: '2026-01-26', hostCapabilities: {}, hostInfo: {}, hostContext },
        })
      } else if (data.method === 'ui/notifications/initialized') {
        send({ method: 'ui/notifications/tool-input', params: { arguments: args } })
        send({ method: 'ui/notifications/tool-result', params: result })
      }
    })
    document.body.append(frame)
  }, host)
  await page.waitForFunction(() =>
    (window as unknown as { seen: { method: string }[] }).seen.some(
      ({ method }) => method === 'ui/notifications/initialized',
    ),
  )
  const frame = page.frames()[1] as Frame
  await frame.waitForSelector('main > *')
  return {
    page,
    frame,
    messages: () => page.evaluate(() => (window as unknown as { seen: { method?: string }[] }).seen),
  }
}

/** Calls a tool, and shows its result. */
async function callAndShow(tool: string, args: Record<string, unknown>): Promise<Shown> {
  const result = await agent.client.callTool({ name: tool, arguments: args })
  expect(result.isError, JSON.stringify(result.content)).not.toBe(true)
  return show(tool, args, result)
}

test('every tool that shows something has a view of its own, small and without any other origin', async () => {
  const { resources } = await agent.client.listResources()
  const shown = TOOLS.filter(({ shows }) => shows === true).map(({ name }) => name)
  expect(shown).toEqual(['show_run', 'compare_runs', 'publish_plan', 'show_world'])
  for (const tool of shown) {
    const html = await viewOf(tool)
    expect(html.length).toBeLessThan(20_000)
    const origins = [...html.matchAll(/https?:\/\/[^"'/\s]+/g)].map(([origin]) => origin)
    expect(new Set(origins)).toEqual(new Set([stack.services.config.siteOrigin, 'http://www.w3.org']))
    expect(resources.map(({ uri }) => uri)).toContain(`ui://weft/${tool}.html`)
  }
})

test('show_run draws a line for each path, in the colours of the host, and opens pages by the host', async () => {
  const { page, frame, messages } = await callAndShow('show_run', {
    connector_name: 'fast',
    particles_count: 5,
  })
  expect(await frame.locator('h1').textContent()).toBe('fast')
  expect(await frame.locator('svg').getAttribute('aria-label')).toBe('/fast:0: 5 steps, 0 to 8')
  expect(await frame.locator('path').getAttribute('d')).toBe('M0 186l1 -43 1 -43 1 -43 1 -43')
  expect(await frame.locator('h1').evaluate((node) => getComputedStyle(node).color)).toBe('rgb(1, 2, 3)')
  expect(await frame.evaluate(() => document.documentElement.style.colorScheme)).toBe('dark')
  await frame.getByRole('button').click()
  await expect
    .poll(async () => (await messages()).find(({ method }) => method === 'ui/open-link')?.params)
    .toEqual({ url: `${stack.services.config.siteOrigin}/connectors/fast` })
  await expect
    .poll(async () => (await messages()).map(({ method }) => method))
    .toContain('ui/notifications/size-changed')
  await page.context().close()
})

test('compare_runs counts what differs, publish_plan what is left to publish', async () => {
  const runs = ['slow', 'fast'].map((connector_name) => ({ connector_name, particles_count: 4 }))
  const compared = await callAndShow('compare_runs', { runs })
  expect(await compared.frame.locator('main').textContent()).toContain(
    'fast: 3 of 4 values differ from slow.',
  )
  expect(await compared.frame.locator('path').count()).toBe(2)
  await compared.page.close()

  const words = { title: 'As fast as can be', present: { particles: 64, tempo: 2_400, loop: true } }
  const plan = await callAndShow('publish_plan', { kind: 'connector', name: 'fast', words })
  expect(await plan.frame.locator('h1').textContent()).toBe('Publish As fast as can be (fast)')
  expect(await plan.frame.locator('li').allTextContents()).toEqual([
    'transformation fast_step: to be published',
    'connector fast: to be published',
  ])
  expect(await plan.frame.locator('main').textContent()).toMatch(
    /2 to publish, for about [\d.e-]+ ETH of gas/,
  )
  await plan.page.close()
})

test('what strangers wrote is text, and a failure is its sentence', async () => {
  const markup = '<img src=x onerror="parent.postMessage({method:1},\'*\')">'
  const world = { name: markup, description: markup, version: '1.0.0', ownerId: '0x1', slug: '../../evil' }
  const shown = await show('show_world', {}, { content: [], structuredContent: world })
  expect(await shown.frame.locator('h1').textContent()).toBe(markup)
  expect(await shown.frame.locator('img').count()).toBe(0)
  await shown.frame.getByRole('button').click()
  await expect
    .poll(async () => (await shown.messages()).find(({ method }) => method === 'ui/open-link')?.params?.url)
    .toMatch(/\/worlds\/\.\.%2F\.\.%2Fevil$/)
  await shown.page.close()

  const failed = await agent.client.callTool({
    name: 'show_run',
    arguments: { connector_name: 'nobody', particles_count: 3 },
  })
  const refused = await show('show_run', {}, failed)
  expect(await refused.frame.getByRole('alert').textContent()).toContain('Connector not found')
  await refused.page.close()
})

test('tools reach Worlds and explain a value', async () => {
  expect((await agent.call('list_worlds', { limit: '2' })).structured).toEqual({ result: [] })
  expect((await agent.call('show_world', { id: 'wld_none' })).structured).toMatchObject({ status: 404 })
  const explained = await agent.call('explain_value', { connector_name: 'fast', path: '/fast:0', step: 3 })
  expect(explained.structured).toMatchObject({ outcome: 'explained', value: 6 })
  const unknown = await agent.call('publish_plan', { kind: 'connector', name: 'nobody' })
  expect(unknown.structured).toMatchObject({ outcome: 'invalid' })
})
