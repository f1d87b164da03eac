import { escapeMarkup } from './markup.ts'
import { type RunLink, runHref } from './run-link.ts'

/** Size of the player in other pages, in CSS pixels; both are only suggestions. */
export const EMBED_SIZE = { width: 640, height: 420 } as const

/** Address of the page that plays a connector inside of other sites. */
export function connectorEmbedHref(name: string): string {
  return `/embed/connector/${encodeURIComponent(name)}`
}

/** Address of the page that plays a run inside of other sites. */
export function runEmbedHref({ world: _world, slots: _slots, ...link }: RunLink): string {
  return `/embed${runHref(link)}`
}

/** HTML of a frame with a player. @param src Absolute address. */
export function embedHtml(
  src: string,
  title: string,
  { width, height }: { readonly width: number; readonly height: number } = EMBED_SIZE,
): string {
  return `<iframe src="${escapeMarkup(src)}" title="${escapeMarkup(title)}" width="${width}" height="${height}" style="border:0;max-width:100%" allow="autoplay" loading="lazy"></iframe>`
}
