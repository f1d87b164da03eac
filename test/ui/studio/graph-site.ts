import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright'
import type { ConnectorDefinition } from '#lib/protocol/definition.ts'
import type { ConnectorEntry, StudioDocument } from '#lib/studio/document/types.ts'
import { codeEntry, connectorEntry, documentOf } from '../../studio/document/entries.ts'
import { type ComponentSite, startComponentSite } from './component-site.ts'

export async function startGraphSite(): Promise<ComponentSite> {
  const styles = await readFile('node_modules/@xyflow/react/dist/base.css', 'utf8')
  return startComponentSite({ pages: { '/': 'graph-page' }, styles })
}

/** Opens the graph of the first entry of a document. */
export async function openGraph(
  page: Page,
  { origin }: ComponentSite,
  document: StudioDocument,
  published: readonly ConnectorDefinition[] = [],
): Promise<void> {
  await page.addInitScript(
    ([given, network]) => {
      Object.assign(globalThis, { studioDocument: given, published: network })
      localStorage.setItem('weft-studio-editor', '{"editor":"graph","wide":true}')
    },
    [document, published] as const,
  )
  await page.goto(origin)
  await page.locator('.react-flow__node').first().waitFor()
}

/** A connector entry in few words: each dimension by its calls, or what it leads to with what fills its slots. */
export function connector(
  name: string,
  ...dimensions: readonly (
    | readonly string[]
    | { readonly to: string; readonly slots?: Record<number, string> }
  )[]
): ConnectorEntry {
  return connectorEntry(
    `id-${name}`,
    name,
    dimensions.map((dimension, index) => {
      const calls = 'to' in dimension ? [] : dimension
      return {
        id: `${name}-${index}`,
        calls: calls.map((call, place) => {
          const [step = '', ...args] = call.split(' ')
          return { id: `${name}-${index}-${place}`, name: step, args }
        }),
        composite: 'to' in dimension ? dimension.to : '',
        bindings:
          'to' in dimension
            ? Object.entries(dimension.slots ?? {}).map(([slot, filler]) => ({
                slot: Number(slot),
                name: filler,
              }))
            : [],
      }
    }),
  )
}

/** A document whose first connector is made of `size - 1` others, three deep. */
export function largeDocument(size: number): StudioDocument {
  const wide = Math.ceil(Math.sqrt(size - 1))
  const middle = Array.from({ length: wide }, (_, index) => `part_${index}`)
  const leaves = Array.from({ length: size - 1 - wide }, (_, index) => `leaf_${index}`)
  return documentOf(
    connector('whole', ...middle.map((to) => ({ to }))),
    ...middle.map((name, index) =>
      connector(
        name,
        ['lift 3', 'climb 5 24'],
        ...leaves.filter((_, leaf) => leaf % wide === index).map((to) => ({ to })),
      ),
    ),
    ...leaves.map((name) => connector(name, ['climb 1 24', 'lift 2'], ['lift 4'])),
    codeEntry('id-lift', 'lift', 'return x + args[0];'),
    codeEntry(
      'id-climb',
      'climb',
      '// Up by args[0], around a ring of args[1] places.\nreturn (x + args[0]) % args[1];',
    ),
  )
}
