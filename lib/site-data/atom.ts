import type { Context } from '../context.ts'
import type { EntityKind } from '../domain/entity.ts'
import { eventTypeOf } from '../feed/items.ts'
import { type FeedItem, listFeedItems } from '../feed/list-items.ts'
import { escapeXml } from './escape-xml.ts'

const ENTRIES = 50

/**
 * The newest publications as an Atom document (RFC 4287), for feed readers. What a reorganisation takes back leaves
 * the document; what comes back keeps its id.
 *
 * @throws What the database throws when it cannot be read.
 */
export async function atomFeed(ctx: Context, kind: EntityKind | undefined): Promise<string> {
  const { items } = await listFeedItems(ctx, { limit: ENTRIES, type: kind && eventTypeOf(kind) })
  const origin = ctx.config.siteOrigin
  const self = `${origin}/feed.xml${kind === undefined ? '' : `?kind=${kind}`}`
  const updated = new Date(items[0]?.createdAtMs ?? 0).toISOString()
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `  <title>Weft${kind === undefined ? '' : `: ${kind}s`}</title>`,
    '  <subtitle>What is published on the network, the newest first.</subtitle>',
    `  <id>${escapeXml(self)}</id>`,
    `  <link rel="self" type="application/atom+xml" href="${escapeXml(self)}"/>`,
    `  <link rel="alternate" type="text/html" href="${escapeXml(`${origin}/feed`)}"/>`,
    `  <updated>${updated}</updated>`,
    ...items.map((item) => entry(item, origin)),
    '</feed>',
    '',
  ].join('\n')
}

function entry({ feedId, kind, name, owner, blockNumber, createdAtMs }: FeedItem, origin: string): string {
  const at = new Date(createdAtMs).toISOString()
  const page = `${origin}/${kind}s/${encodeURIComponent(name)}`
  return [
    '  <entry>',
    `    <title>${escapeXml(`${name}, ${kind}`)}</title>`,
    `    <id>urn:weft:${escapeXml(feedId)}</id>`,
    `    <link rel="alternate" type="text/html" href="${escapeXml(page)}"/>`,
    `    <author><name>${escapeXml(owner)}</name><uri>${escapeXml(`${origin}/users/${owner}`)}</uri></author>`,
    `    <published>${at}</published>`,
    `    <updated>${at}</updated>`,
    `    <category term="${kind}"/>`,
    `    <summary>${escapeXml(`The ${kind} ${name} was published in block ${blockNumber} by ${owner}.`)}</summary>`,
    '  </entry>',
  ].join('\n')
}
