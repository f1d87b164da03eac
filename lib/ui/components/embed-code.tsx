import type { ReactNode } from 'react'
import { embedHtml } from '#lib/protocol/embed.ts'
import { escapeMarkup } from '#lib/protocol/markup.ts'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { Command } from './command.tsx'

/**
 * Code that shows a piece on other sites: its player and its picture.
 *
 * @param page Absolute address of its page, as are the others.
 * @param playing What the player plays, in a sentence.
 */
export function EmbedCode({
  page,
  image,
  player,
  playing = 'It plays on any site.',
  title,
}: {
  page: string
  image: string
  player: string | undefined
  playing?: string
  title: string
}) {
  const picture = `<a href="${escapeMarkup(page)}"><img src="${escapeMarkup(image)}" alt="${escapeMarkup(title)}" width="600" height="315"></a>`
  return (
    <>
      {player === undefined ? null : (
        <Folded summary="Embed its player">
          <Snippet name="HTML" code={embedHtml(player, title)} what="Player code" />
          <p className="text-ink-soft text-xs">
            {playing}{' '}
            <a className={textLink} href="/docs/embed">
              Steer it from your page
            </a>
          </p>
        </Folded>
      )}
      <Folded summary="Embed its picture">
        <Snippet name="HTML" code={picture} what="HTML code" />
        <Snippet name="Markdown" code={`[![${title}](${image})](${page})`} what="Markdown code" />
      </Folded>
    </>
  )
}

function Folded({ summary, children }: { summary: string; children: ReactNode }) {
  return (
    <details className="text-sm">
      <summary className="min-h-11 cursor-pointer py-2.5 font-medium">{summary}</summary>
      <div className="space-y-3 pb-2">{children}</div>
    </details>
  )
}

function Snippet({ name, code, what }: { name: string; code: string; what: string }) {
  return (
    <div>
      <p className="pb-1 text-ink-soft text-xs">{name}</p>
      <Command what={what}>{code}</Command>
    </div>
  )
}
