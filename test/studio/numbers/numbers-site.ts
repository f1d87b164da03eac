import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { compileBody } from '../../../lib/compute/solidity/compile-body.ts'
import { codeContentHash } from '../../../lib/protocol/content-hash.ts'
import { buildConnector } from '../../../lib/protocol/creation-checks.ts'
import { definitionWire } from '../../../lib/protocol/definition-wire.ts'
import { encodePayload } from '../../../lib/protocol/payload.ts'
import type { PreviewRequest } from '../../../lib/server/operations/studio/preview-schemas.ts'
import { PHRASE_BOOK } from '../../../lib/ui/studio/common/phrase-book.ts'
import { startStudioApi } from '../../preview/studio-api.ts'
import { bodyOf, type ComponentSite, startComponentSite } from '../component-site.ts'

/** Worlds by slug: what their page runs. */
const WORLDS: Readonly<Record<string, string>> = {
  dots: `import { createWorldSdk } from '/world-runtime.js'
    const sdk = createWorldSdk({ worldId: 'dots' })
    sdk.onState(({ payload }) => {
      document.body.textContent = payload.connectorName + ' ' + JSON.stringify(payload.executeOutput[0].data.slice(0, 3))
    })
    sdk.ready()`,
  silent: '',
}

/** What the network of these tests has besides the phrase book. */
const OTHERS = { wobble: 'return x % 2 == 0 ? x + args[0] : x - 1;' }

const NETWORK: readonly (readonly [name: string, source: string])[] = [
  ...PHRASE_BOOK.map(({ name, source }) => [name, source] as const),
  ...Object.entries(OTHERS),
]

/**
 * A server of the page `numbers-page.ts`, with a network that holds the phrase book and another transformation: compiled
 * here, and run by the engine of the browser. What bodies of the document do, the studio's API says.
 */
export async function startNumbersSite(): Promise<ComponentSite> {
  const api = await startStudioApi()
  const artifacts = artifactsOf(NETWORK)
  const ladder = ladderOf(artifacts)
  const site = await startComponentSite({
    pages: { '/': 'numbers/numbers-page', '/live': 'numbers/live-page' },
    workers: { '/engine/worker.ts': 'lib/ui/studio/preview/engine/worker.ts' },
    async answer(path, request, response) {
      const json = (value: unknown) =>
        response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
      if (path === '/world-runtime.js') {
        // Worlds have an opaque origin.
        const runtime = await readFile('lib/worlds/sdk/built/world-runtime.js')
        const headers = { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' }
        response.writeHead(200, headers).end(runtime)
      } else if (path.startsWith('/world/')) {
        const script = WORLDS[path.slice('/world/'.length)]
        response
          .setHeader('content-type', 'text/html')
          .end(`<!doctype html><title>World</title><body><script type="module">${script}</script>`)
      } else if (path === '/worlds/gallery/plugins') {
        json({ worlds: Object.keys(WORLDS).map(pluginOf) })
      } else if (path === '/studio/api/preview') {
        const { status, text } = await api.post('/preview', withNetwork(await bodyOf(request)))
        response.writeHead(status, { 'content-type': 'application/json' }).end(text)
      } else if (path === '/studio/api/artifacts') {
        const found = await asked(request)
        const known = [...artifacts, ladder.artifact].filter(({ name }) => found.has(name))
        json({
          names: known.map(({ kind, name, content_hash }) => ({ kind, name, content_hash })),
          // With all that the connector is made of.
          artifacts: found.has('ladder') ? [...artifacts, ladder.artifact] : known,
        })
      } else if (path === '/studio/api/entities') {
        const found = await asked(request)
        const address = `0x${'ab'.repeat(20)}`
        const transformations = artifacts
          .filter(({ name }) => found.has(name))
          .map(({ name, args_count }) => ({ name, owner: 'cd'.repeat(20), address, args_count }))
        json({ connectors: found.has('ladder') ? [ladder.entity] : [], transformations, conditions: [] })
      } else if (path === '/chain/feed') {
        const isAsked = request.url?.includes('transformation_added') === true
        const items = isAsked ? [{ payload: { type: 'transformation', name: 'wobble' } }] : []
        json({ items, cursor: { next_before: null } })
      } else return false
    },
  })
  return {
    origin: site.origin,
    async close() {
      await site.close()
      await api.close()
    },
  }
}

/** What of a World the player reads. */
function pluginOf(slug: string) {
  const framed = { name: slug, entryUrl: `/world/${slug}`, permissions: [] }
  return {
    tile: { id: slug, slug, framed },
    needs: { acceptedFormatHashes: [], acceptedConnectorSets: [] },
    formats: [],
  }
}

/** A preview request in which what it uses of the network is a body: the API's own network is empty. */
function withNetwork(text: string): unknown {
  const request = JSON.parse(text) as PreviewRequest
  const own = new Set(request.bodies?.map(({ name }) => name))
  const used = new Set(
    request.connectors?.flatMap(({ dimensions }) =>
      dimensions.flatMap(({ transformations = [] }) => transformations.map(({ name }) => name)),
    ),
  )
  const bodies = NETWORK.filter(([name]) => used.has(name) && !own.has(name)).map(([name, source]) => ({
    kind: 'transformation',
    name,
    sol_src: source,
  }))
  return { ...request, bodies: [...(request.bodies ?? []), ...bodies] }
}

function artifactsOf(bodies: readonly (readonly [name: string, source: string])[]) {
  return bodies.map(([name, source]) => {
    const compiled = compileBody('transformation', source)
    if (compiled.status !== 'compiled') throw new Error(`${name} does not compile`)
    const { argsCount, runtime } = compiled
    const hash = codeContentHash('transformation', name, argsCount, runtime)
    return { kind: 'transformation' as const, name, args_count: argsCount, runtime, content_hash: hash }
  })
}

/** A published connector: two lines, of which the first climbs by three below 16. */
function ladderOf(codes: ReturnType<typeof artifactsOf>) {
  const line = (name: string, ...args: number[]) => ({
    transformations: [{ name, args }],
    composite: '',
    bindings: [],
  })
  const built = buildConnector(
    {
      name: 'ladder',
      dimensions: [line('cycle', 3, 16), line('add', 1)],
      conditionName: '',
      conditionArgs: [],
      staticRi: [],
    },
    (_kind, name) => {
      const code = codes.find((each) => each.name === name)
      if (code === undefined) return undefined
      const { args_count: argsCount, content_hash: contentHash, ...rest } = code
      return { ...rest, argsCount, contentHash }
    },
  )
  const { kind, name, contentHash, definition } = built
  return {
    artifact: {
      kind,
      name,
      payload: encodePayload(built),
      dependencies: built.dependencies.map((each) => each.contentHash),
      content_hash: contentHash,
    },
    entity: {
      name,
      owner: 'cd'.repeat(20),
      address: `0x${'ab'.repeat(20)}`,
      content_hash: contentHash,
      format_hash: built.formatHash.slice(2),
      ...definitionWire(definition),
    },
  }
}

async function asked(request: IncomingMessage): Promise<ReadonlySet<string>> {
  const { names } = JSON.parse(await bodyOf(request)) as {
    names: { kind: string; name: string }[]
  }
  return new Set(names.filter(({ kind }) => kind !== 'condition').map(({ name }) => name))
}
