import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import type { Publication } from '../player.ts'
import type { Steps } from './step.ts'

interface Hit {
  readonly kind: string
  readonly match: string
  readonly name?: string
  readonly owner?: string
  readonly format_hash?: string
}
interface Found {
  readonly hits: readonly Hit[]
}
interface Read {
  readonly owner: string
  readonly address: string
  readonly args_count: number
  readonly format_hash: string
  readonly dimensions: readonly {
    readonly transformations: { readonly name: string }[]
    readonly composite: string
  }[]
}
interface Page {
  readonly cursor: { readonly has_more: boolean; readonly next_before: string | null }
  readonly items: readonly { readonly payload: { readonly type: string; readonly name: string } }[]
}

export const reading: Steps = {
  'find-by-beginning': async ({ me, network: { names, ada } }) => {
    const text = names.line.slice(0, -'line'.length)
    const { hits } = await me.value<Found>('search', { text, kinds: ['connector'] })
    const found = hits.map(({ name }) => name)
    const connectors = [names.line, names.pair, names.melody, names.song, names.shut]
    deepEqual(found.toSorted(), connectors.toSorted())
    for (const { owner } of hits) equal(owner, ada.address)
  },
  'find-misspelled': async ({ me, network: { names } }) => {
    const wrong = names.melody.replace('melody', 'meldoy')
    const { hits } = await me.value<Found>('search', { text: wrong })
    equal(hits[0]?.name, names.melody)
    equal(hits[0]?.match, 'alike')
  },
  'made-of': async ({ me, network: { names } }) => {
    const used = new Set<string>()
    const visit = async (name: string): Promise<void> => {
      const { dimensions } = await me.value<Read>('read_connector', { name })
      for (const { transformations, composite } of dimensions) {
        for (const each of transformations) used.add(each.name)
        if (composite !== '') {
          used.add(composite)
          await visit(composite)
        }
      }
    }
    await visit(names.song)
    deepEqual([...used], [names.add, names.line])
  },
  'how-many-of-ada': async ({ me, network: { names, ada } }) => {
    const { owner } = await me.value<Read>('read_connector', { name: names.line })
    const { owned_connectors: owned } = await me.value<{ owned_connectors: string[] }>('read_account', {
      address: owner,
      limit: 100,
    })
    equal(owner, ada.address)
    const connectors = [names.line, names.pair, names.melody, names.song, names.shut]
    deepEqual(owned.toSorted(), connectors.toSorted())
  },
  newest: async ({ me, network: { published } }) => {
    const { items } = await me.value<Page>('list_feed', { limit: 1, type: 'connector_added' })
    equal(items[0]?.payload.name, published.findLast(({ kind }) => kind === 'connector')?.name)
  },
  'format-of': async ({ me, network: { names } }) => {
    const { format_hash: hash } = await me.value<Read>('read_connector', { name: names.pair })
    const format = await me.value<{ scalars: string[]; connectors: string[] }>('read_format', {
      hash,
      limit: 10,
    })
    deepEqual(format.connectors, [names.pair])
    equal(format.scalars.length, 2)
  },
  'find-format': async ({ me, network: { names } }) => {
    const { hits } = await me.value<Found>('search', { text: names.line, kinds: ['format'] })
    const { format_hash: hash } = await me.value<Read>('read_connector', { name: names.line })
    ok(hits.some(({ format_hash: found }) => found === hash))
  },
  'about-a-condition': async ({ me, network: { names } }) => {
    const { args_count: count, address } = await me.value<Read>('read_condition', { name: names.gate })
    equal(count, 2)
    notEqual(address, '0x0')
  },
  'whole-feed': async ({ me, network: { published } }) => {
    const seen: string[] = []
    for (let before: string | null | undefined; before !== null; ) {
      const { items, cursor }: Page = await me.value<Page>('list_feed', {
        limit: 3,
        ...(before !== undefined && { before }),
      })
      seen.push(...items.map(({ payload }) => `${payload.type} ${payload.name}`))
      before = cursor.next_before
    }
    const all = published.map(({ kind, name }: Publication) => `${kind} ${name}`)
    deepEqual(seen, all.toReversed())
  },
  absent: async ({ me, fresh }) => {
    const name = fresh('nobody')
    const { hits } = await me.value<Found>('search', { text: name, kinds: ['connector'] })
    ok(hits.every((hit) => hit.match === 'alike'))
    const { status, message } = await me.refusal('read_connector', { name })
    equal(status, 404)
    match(message, /not found/i)
  },
  'read-the-docs': async ({ me }) => {
    const { client } = me.agent
    const { resources } = await client.listResources()
    const uri = resources.find(({ name }) => name === 'concepts')?.uri ?? ''
    const { contents } = await client.readResource({ uri })
    const [page] = contents
    ok(page !== undefined && 'text' in page)
    match(page.text, /condition/)
  },
}
