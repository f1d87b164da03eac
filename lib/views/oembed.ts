import { PICTURE_SIZES } from '#lib/compute/pictures/scene.ts'
import type { Context } from '#lib/core/context/context.ts'
import { findAuthorWords } from '#lib/core/entities/author-words.ts'
import { entityExists } from '#lib/core/entities/get-entity.ts'
import { getWorldBySlug } from '#lib/core/worlds/get-world.ts'
import { connectorEmbedHref, EMBED_SIZE, embedHtml, runEmbedHref } from '#lib/protocol/embed.ts'
import { ENTITY_KINDS, type EntityKind } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { isEntityName } from '#lib/protocol/names.ts'
import { MAX_LINK_LENGTH, readRunLink, runHref } from '#lib/protocol/run-link.ts'
import { undefinedOn } from './expected-failures.ts'
import { queryOf } from './page-exists.ts'
import { firstSentences } from './page-metadata.ts'

/** Seconds for which others may keep the answer. */
const CACHE_SECONDS = 3600
const SMALLEST = 120

/**
 * The oEmbed document of a page of this site (https://oembed.com): a player for connectors and runs, else a picture;
 * undefined where there is nothing to embed.
 *
 * @param params Query of the request.
 * @throws Failure('invalid_request'), and what the database throws when it cannot be read.
 */
export async function oEmbed(ctx: Context, params: URLSearchParams): Promise<object | undefined> {
  const target = params.get('url') ?? ''
  const limits = { width: sizeOf(params.get('maxwidth')), height: sizeOf(params.get('maxheight')) }
  if (limits.width === undefined || limits.height === undefined) throw refusal()
  if (target === '' || target.length > MAX_LINK_LENGTH || !URL.canParse(target)) throw refusal()
  const url = new URL(target)
  const origin = new URL(ctx.config.siteOrigin).origin
  if (url.origin !== origin) return undefined
  const subject = await subjectOf(ctx, url)
  if (subject === undefined) return undefined
  const { title, description, picture, player } = subject
  const [thumbnailWidth, thumbnailHeight] = PICTURE_SIZES.card
  const about = {
    version: '1.0',
    title,
    // Beyond the standard; programs that show links take it where it is there.
    ...(description && { description: firstSentences(description) }),
    provider_name: 'Weft',
    provider_url: origin,
    cache_age: CACHE_SECONDS,
  }
  if (player === undefined) {
    const scale = Math.min(1, limits.width / thumbnailWidth, limits.height / thumbnailHeight)
    return {
      ...about,
      type: 'photo',
      url: origin + picture,
      width: Math.floor(thumbnailWidth * scale),
      height: Math.floor(thumbnailHeight * scale),
    }
  }
  const size = {
    width: Math.min(limits.width, EMBED_SIZE.width),
    height: Math.min(limits.height, EMBED_SIZE.height),
  }
  // A consumer must not be sent a picture larger than it has room for.
  const fits = thumbnailWidth <= limits.width && thumbnailHeight <= limits.height
  return {
    ...about,
    type: 'rich',
    html: embedHtml(origin + player, title, size),
    ...size,
    ...(fits && {
      thumbnail_url: origin + picture,
      thumbnail_width: thumbnailWidth,
      thumbnail_height: thumbnailHeight,
    }),
  }
}

function refusal(): Failure {
  const message = 'Send url, an address of this site, and maxwidth and maxheight as whole numbers.'
  return new Failure('invalid_request', message)
}

/** Infinite without a limit, undefined for text that is none. */
function sizeOf(text: string | null): number | undefined {
  if (text === null) return Number.POSITIVE_INFINITY
  return /^[1-9]\d{0,5}$/.test(text) ? Math.max(SMALLEST, Number(text)) : undefined
}

interface Subject {
  readonly title: string
  readonly description?: string | undefined
  /** Path of the picture. */
  readonly picture: string
  /** Path of the page that plays it; undefined where nothing plays. */
  readonly player?: string
}

const PAGE = /^\/(connectors|transformations|conditions|run|worlds)\/([^/]+)$/

async function subjectOf(ctx: Context, url: URL): Promise<Subject | undefined> {
  const [, section, encoded] = PAGE.exec(url.pathname) ?? []
  if (section === undefined || encoded === undefined) return undefined
  const name = decoded(encoded)
  if (name === undefined) return undefined
  if (section === 'worlds') {
    const world = await getWorldBySlug(ctx, name).catch(undefinedOn('not_found', 'artifacts_unavailable'))
    return world && { title: world.manifest.name, picture: pictureOf('world', name) }
  }
  const kind: EntityKind = ENTITY_KINDS.find((each) => `${each}s` === section) ?? 'connector'
  if (!isEntityName(name) || !(await entityExists(ctx, kind, name))) return undefined
  if (section === 'run') {
    const read = readRunLink(name, queryOf(url.searchParams))
    if (!read.ok) return undefined
    const { link } = read
    const { title = name, description } = (await findAuthorWords(ctx, kind, name)) ?? {}
    return {
      title: `A run of ${title}`,
      description,
      picture: runHref(link, '/image'),
      player: runEmbedHref(link),
    }
  }
  const { title = name, description } = (await findAuthorWords(ctx, kind, name)) ?? {}
  return {
    title,
    description,
    picture: pictureOf(kind, name),
    ...(kind === 'connector' && { player: connectorEmbedHref(name) }),
  }
}

function pictureOf(kind: string, name: string): string {
  return `/pictures/${kind}/${encodeURIComponent(name)}.png`
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
