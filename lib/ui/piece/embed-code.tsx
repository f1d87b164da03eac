import type { ReactNode } from 'react'
import { embedHtml, escapeHtml, weftRunHtml } from '../../protocol/embed.ts'
import { Command } from '../components/command.tsx'
import { textLink } from '../components/link-style.ts'

/**
 * Code that shows a piece on other sites: its player, its numbers with their proof, and its picture.
 *
 * @param page Absolute address of its page, as are the others.
 * @param playing What the player plays, in a sentence.
 * @param verified The page is of a run that any page can verify.
 */
export function EmbedCode({
  page,
  image,
  player,
  playing = 'It plays on any site.',
  title,
  verified = false,
}: {
  page: string
  image: string
  player: string | undefined
  playing?: string
  title: string
  verified?: boolean
}) {
  const picture = `<a href="${escapeHtml(page)}"><img src="${escapeHtml(image)}" alt="${escapeHtml(title)}" width="600" height="315"></a>`
  return (
    <div>
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
      {verified ? (
        <Folded summary="Embed its numbers, verified">
          <Snippet name="HTML" code={weftRunHtml(page, title)} what="Code of the verified run" />
          <p className="text-ink-soft text-xs">
            The page around it computes them again, and says whether they are proven.{' '}
            <a className={textLink} href="/docs/embed#numbers-verified-on-your-page">
              How it works
            </a>
          </p>
        </Folded>
      ) : null}
      <Folded summary="Embed its picture">
        <Snippet name="HTML" code={picture} what="HTML code" />
        <Snippet name="Markdown" code={`[![${title}](${image})](${page})`} what="Markdown code" />
      </Folded>
    </div>
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
