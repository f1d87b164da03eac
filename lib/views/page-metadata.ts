import type { Metadata } from 'next'
import { getServices } from '#lib/server/services.ts'
import type { FramedWorld } from './framed-world.ts'
import type { PictureKind } from './pictures.ts'
import { siteWords } from './read.ts'

/** Preview of a page where its link is shared. */
interface SharedPage {
  readonly title: string
  readonly description: string
  /** Path and query of the page. */
  readonly href: string
  readonly picture: DrawnPicture | SavedPicture
  /** Whether oEmbed has a player or a picture of it for other sites: announces that. */
  readonly embeddable?: boolean
}

/** Drawn by this server, 1200 x 630. */
type DrawnPicture = { readonly kind: PictureKind; readonly name: string } | { readonly href: string }

/** A picture that its author stored, of whatever size. */
interface SavedPicture {
  readonly saved: string
}

/** The picture that a World's author stored, where programs that show links can read it; else undefined. */
export function sharedPicture(world: Pick<FramedWorld, 'previewUrl'> | undefined): SavedPicture | undefined {
  const saved = world?.previewUrl
  return saved === undefined || /\.svg(?:\?|$)/i.test(saved) ? undefined : { saved }
}

/** Metadata of a page that is shared: description, preview picture, player. */
export async function sharedPage(page: SharedPage): Promise<Metadata> {
  const { title, description, picture } = page
  const siteOrigin = await originOfSite()
  if (siteOrigin === undefined) return { title, description }
  const url = new URL(page.href, siteOrigin).href
  const image = {
    url: new URL(addressOf(picture), siteOrigin).href,
    alt: description,
    ...(!('saved' in picture) && { width: 1200, height: 630 }),
  }
  return {
    title,
    description,
    alternates: {
      canonical: url,
      ...(page.embeddable && {
        types: {
          'application/json+oembed': `${siteOrigin}/oembed?format=json&url=${encodeURIComponent(url)}`,
        },
      }),
    },
    openGraph: {
      title,
      description,
      url,
      siteName: (await siteWords()).name,
      type: 'website',
      images: [image],
    },
    twitter: { card: 'summary_large_image', title, description, images: [image.url] },
  }
}

const MAX_DESCRIPTION = 200

/** The beginning of a text, for a preview: one line of at most 200 characters. */
export function firstSentences(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= MAX_DESCRIPTION ? line : `${line.slice(0, MAX_DESCRIPTION - 1).toWellFormed()}…`
}

/** The address of the site, for addresses in heads of pages; and its picture, for pages without one of their own. */
export async function sharedSite(): Promise<Metadata> {
  const siteOrigin = await originOfSite()
  if (siteOrigin === undefined) return {}
  const url = new URL(pictureHref('site', 'weft'), siteOrigin).href
  const { name } = await siteWords()
  const images = [{ url, width: 1200, height: 630, alt: name }]
  return {
    metadataBase: new URL(siteOrigin),
    openGraph: { siteName: name, type: 'website', images },
    twitter: { card: 'summary_large_image', images: [url] },
  }
}

/** Undefined with an invalid configuration, which the page itself reports. */
async function originOfSite(): Promise<string | undefined> {
  try {
    return (await getServices()).config.siteOrigin
  } catch {
    return undefined
  }
}

function addressOf(picture: SharedPage['picture']): string {
  if ('saved' in picture) return picture.saved
  return 'href' in picture ? picture.href : pictureHref(picture.kind, picture.name)
}

function pictureHref(kind: PictureKind, name: string): string {
  return `/pictures/${kind}/${encodeURIComponent(name)}.png`
}
