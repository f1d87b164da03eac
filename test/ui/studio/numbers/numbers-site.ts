import { readFile } from 'node:fs/promises'
import type { BuiltArtifact } from '#lib/protocol/artifact.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import { PHRASE_BOOK } from '#lib/studio/library/phrase-book.ts'
import { project } from '#test/server/chain/projection.ts'
import { startApi } from '#test/support/api.ts'
import { compileOnce } from '#test/support/compiled-bodies.ts'
import { define } from '#test/support/definitions.ts'
import { type ComponentSite, startComponentSite } from '../component-site.ts'

/** Worlds by slug: what their page runs. */
const WORLDS: Readonly<Record<string, string>> = {
  dots: `import { createWorldSdk } from '/world-runtime.js'
    const sdk = createWorldSdk({ worldId: 'dots' })
    sdk.onState(({ payload }) => {
      document.body.textContent = payload.connectorName + ' ' + JSON.stringify(payload.executeOutput[0].data.slice(0, 3))
    })
    sdk.ready()`,
  pairs: `import { createWorldSdk } from '/world-runtime.js'
    const sdk = createWorldSdk({ worldId: 'pairs' })
    sdk.onState(({ payload: { connectorBindings } }) => {
      document.body.textContent = connectorBindings.map(({ slot, connectorName, executeOutput: [{ data }] }) =>
        slot + ' ' + connectorName + ' ' + JSON.stringify(data.slice(0, 3))).join(', ')
    })
    sdk.ready()`,
  silent: '',
}

const NETWORK = [...PHRASE_BOOK, { name: 'wobble', source: 'return x % 2 == 0 ? x + args[0] : x - 1;' }]

/**
 * A server of the page `numbers-page.ts` with the studio's API behind it, and a network that holds the phrase book,
 * another transformation, and a connector.
 */
export async function startNumbersSite(): Promise<ComponentSite> {
  const api = await startApi('studio')
  for (const artifact of network()) await project(api.db, artifact)
  const site = await startComponentSite({
    pages: { '/': 'numbers/numbers-page', '/live': 'numbers/live-page' },
    workers: { '/engine/worker.ts': 'lib/studio/runs/engine/worker.ts' },
    api,
    async answer(path, request, response) {
      const json = (value: unknown) =>
        response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
      if (path === '/world-runtime.js') {
        // Worlds have an opaque origin.
        const runtime = await readFile('lib/core/worlds/sdk/built/world-runtime.js')
        const headers = { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' }
        response.writeHead(200, headers).end(runtime)
      } else if (path.startsWith('/world/')) {
        const script = WORLDS[path.slice('/world/'.length)]
        response
          .setHeader('content-type', 'text/html')
          .end(`<!doctype html><title>World</title><body><script type="module">${script}</script>`)
      } else if (path === '/worlds/gallery/plugins') {
        const asked = new URL(`${request.url}`, 'http://localhost').searchParams
        if (asked.has('bundle')) json({ found: 'version', world: pluginOf(`${asked.get('slug')}`) })
        else json({ worlds: Object.keys(WORLDS).map(pluginOf) })
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

/** Fields of a World that the player reads. */
function pluginOf(slug: string) {
  const framed = { name: slug, entryUrl: `/world/${slug}`, permissions: [] }
  return {
    tile: { id: slug, slug, framed },
    needs: {
      acceptedFormatHashes: [],
      acceptedConnectorSets: slug === 'pairs' ? [{ connectors: ['one', 'two'], optionalConnectors: [] }] : [],
    },
    formats: [],
  }
}

function network(): BuiltArtifact[] {
  const codes = NETWORK.map(({ name, source }): BuiltArtifact => {
    const { argsCount, runtime } = compileOnce('transformation', source)
    const contentHash = codeContentHash('transformation', name, argsCount, runtime)
    return { kind: 'transformation', name, argsCount, runtime, contentHash }
  })
  // Two lines, of which the first climbs by three below 16.
  const dimensions = [
    { transformations: [{ name: 'cycle', args: [3, 16] }] },
    { transformations: [{ name: 'add', args: [1] }] },
  ]
  const ladder = buildConnector(define({ name: 'ladder', dimensions }), (_kind, name) =>
    codes.find((each) => each.name === name),
  )
  return [...codes, ladder]
}
