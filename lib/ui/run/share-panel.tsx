'use client'

import { MAX_LINK_LENGTH, type RunLink, runHref } from '../../domain/run-link.ts'
import { Command } from '../command.tsx'
import { CopyLink } from '../copy-link.tsx'

/** Copies the link of a run, where it fits into one. */
export function CopyRunLink({ link, origin }: { link: RunLink; origin: string | undefined }) {
  const href = runHref(link)
  if (href.length > MAX_LINK_LENGTH) {
    return <p className="text-sm">It sets too many starts for a link.</p>
  }
  return <CopyLink href={href} origin={origin} />
}

/** The picture of a run with its link, for pages and texts elsewhere; needs no script there. */
export function EmbedCode({ link, origin, title }: { link: RunLink; origin: string; title: string }) {
  const page = new URL(runHref(link), origin).href
  const image = new URL(runHref(link, '/image'), origin).href
  const html = `<a href="${escaped(page)}"><img src="${escaped(image)}" alt="${escaped(title)}" width="600" height="315"></a>`
  const markdown = `[![${title}](${image})](${page})`
  return (
    <details className="text-sm">
      <summary className="min-h-11 cursor-pointer py-2.5 font-medium">Embed its picture</summary>
      <div className="space-y-3 pb-2">
        <Snippet name="HTML" code={html} />
        <Snippet name="Markdown" code={markdown} />
      </div>
    </details>
  )
}

function Snippet({ name, code }: { name: string; code: string }) {
  return (
    <div>
      <p className="pb-1 text-ink-soft text-xs">{name}</p>
      <Command what={`${name} code`}>{code}</Command>
    </div>
  )
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
