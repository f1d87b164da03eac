import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtModule } from '#lib/core/worlds/sdk/built-module.ts'
import { testBrowser } from '#test/support/browser.ts'
import { startServices, type TestServices } from '#test/support/services.ts'
import { installWorld } from './support/install-world.ts'
import { listen } from './support/listen.ts'
import { originalHost, originalRuntime } from './support/original-sdk.ts'
import { html, startWorldSite, type WorldSite } from './support/world-site.ts'

/** Where a World has its runtime from. */
const RUNTIMES = {
  'ours, served': '../../js/sdk/world-runtime.js',
  'ours, bundled': './sdk.js',
  'the original’s earlier one': './sdk.js',
  'the original’s later one': './sdk.js',
} as const

const HOSTS = ['ours', 'ours, told the id', 'the original’s earlier one', 'the original’s later one'] as const

type Runtime = keyof typeof RUNTIMES
type Host = (typeof HOSTS)[number]

async function bundledRuntime(runtime: Runtime): Promise<string | undefined> {
  if (runtime === 'ours, bundled') return (await builtModule('world-runtime.js'))?.text
  if (runtime === 'the original’s earlier one') return originalRuntime('dcn')
  return runtime === 'the original’s later one' ? originalRuntime('decentralised.art') : undefined
}

/** Reports what it got, and what a call returned. */
function worldScript(source: string): string {
  return `import { createWorldSdk } from '${source}'
const sdk = createWorldSdk({ worldId: 'tester' })
sdk.onState(async ({ payload, requestId }) => {
  const { format_hash } = await sdk.connectorGet('pitch')
  sdk.reportError(JSON.stringify([payload, format_hash]))
  sdk.reportRendered(requestId)
})
sdk.ready()
`
}

function hostModule(host: Host): string {
  if (host.startsWith('ours')) return '/services/js/sdk/world-host.js'
  return host === 'the original’s earlier one'
    ? '/original-host.js?dcn'
    : '/original-host.js?decentralised.art'
}

function hostPage(host: Host, world: string, sdkOrigin = ''): string {
  return `<!doctype html><title>Host</title><iframe sandbox="allow-scripts" referrerpolicy="no-referrer"></iframe>
<script type="module">
  import { createWorldHost } from '${sdkOrigin}${hostModule(host)}'
  window.events = []
  const iframe = document.querySelector('iframe')
  const host = createWorldHost({
    client: { connectorGet: async (name) => ({ name, format_hash: 'of ' + name }) },
    iframe, permissions: ['dcn.connectors.read'], expectedOrigin: 'null', logger: { warn() {}, error() {} },
    ${host === 'ours, told the id' ? "worldId: 'tester', targetOrigin: '*'," : ''}
    onReady: ({ worldId }) => {
      events.push('ready ' + worldId)
      host.pushState({ requestId: 'r1', payload: { label: 'hello' } })
    },
    onRendered: ({ requestId }) => events.push('rendered ' + requestId),
    onError: ({ message }) => events.push(message),
  })
  events.push('id ' + host.worldId)
  iframe.addEventListener('load', () => events.push('loaded'), { once: true })
  iframe.src = host.worldUrl('${world}')
</script>`
}

let started: TestServices
let site: WorldSite
const browser = testBrowser({ isolated: true })

beforeAll(async () => {
  started = await startServices()
  const { services } = started
  for (const [index, runtime] of (Object.keys(RUNTIMES) as Runtime[]).entries()) {
    const sdk = await bundledRuntime(runtime)
    const files = {
      'index.html': '<!doctype html><title>Tester</title><script type="module" src="world.js"></script>',
      'world.js': worldScript(RUNTIMES[runtime]),
      ...(sdk !== undefined && { 'sdk.js': sdk }),
    }
    await installWorld(services, `tester-${index}`, files, ['dcn.connectors.read'])
  }
  site = await startWorldSite(services, page)
})
afterAll(async () => {
  await site?.close()
  await started?.close()
})

async function page(request: Request): Promise<Response> {
  const { pathname, search, searchParams } = new URL(request.url)
  if (pathname === '/original-host.js')
    return new Response(originalHost(search.slice(1) === 'dcn' ? 'dcn' : 'decentralised.art'), {
      headers: { 'Content-Type': 'text/javascript' },
    })
  if (pathname !== '/host') return new Response(null, { status: 404 })
  const [host, world] = [searchParams.get('host'), searchParams.get('world')]
  return html(hostPage(HOSTS[Number(host)] as Host, `/services/world-assets/tester-${world}/index.html`))
}

/** One of the two is of this project. */
const PAIRS = HOSTS.flatMap((host) =>
  (Object.keys(RUNTIMES) as Runtime[])
    .filter((runtime) => runtime.startsWith('ours') || host.startsWith('ours'))
    .map((runtime) => [runtime, host] as const),
)

describe('a World and a page in a browser', () => {
  test.each(PAIRS)('runtime %s, host %s', async (runtime, host) => {
    const view = await browser().newPage()
    try {
      const problems: string[] = []
      view.on('pageerror', (error) => problems.push(String(error)))
      view.on('console', (message) => problems.push(message.text()))
      const world = Object.keys(RUNTIMES).indexOf(runtime)
      await view.goto(`${site.origin}/host?host=${HOSTS.indexOf(host)}&world=${world}`)
      const events = () => view.evaluate<string[]>('events.filter((each) => each !== "loaded")')
      const id = host === 'ours, told the id' ? 'id tester' : 'id '
      await expect
        .poll(events, { message: problems.join('\n') })
        .toEqual([id, 'ready tester', JSON.stringify([{ label: 'hello' }, 'of pitch']), 'rendered r1'])
    } finally {
      await view.context().close()
    }
  })
})

describe('a page of another origin', () => {
  async function eventsOn(ancestorsOf: (origin: string) => readonly string[]) {
    let worlds: WorldSite | undefined
    const other = await listen(async () =>
      html(hostPage('ours', `${worlds?.origin}/services/world-assets/tester-0/index.html`, worlds?.origin)),
    )
    const origin = `http://localhost:${other.port}`
    worlds = await startWorldSite(started.services, page, { ancestors: ancestorsOf(origin) })
    const view = await browser().newPage()
    const console: string[] = []
    view.on('console', (message) => console.push(message.text()))
    await view.goto(`${origin}/`)
    const close = async () => {
      await view.context().close()
      await worlds?.close()
      await other.close()
    }
    return { events: () => view.evaluate<string[]>('window.events ?? []'), console, close }
  }

  test('shows no World unless the operator names it', async () => {
    const { events, console, close } = await eventsOn(() => ['https://other.example'])
    try {
      await expect.poll(events).toContain('loaded')
      await expect.poll(() => console.join('\n')).toContain('frame-ancestors')
      expect(await events()).toEqual(['id ', 'loaded'])
    } finally {
      await close()
    }
  })

  test('shows Worlds where WORLD_FRAME_ANCESTORS names it', async () => {
    const { events, close } = await eventsOn((origin) => [origin])
    try {
      await expect.poll(events).toContain('rendered r1')
    } finally {
      await close()
    }
  })
})
