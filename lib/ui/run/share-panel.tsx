'use client'

import { MAX_LINK_LENGTH, type RunLink, runHref } from '../../protocol/run-link.ts'
import { Command } from '../components/command.tsx'
import { CopyLink } from '../components/copy-link.tsx'

/** A button that copies the link of a run. */
export function CopyRunLink({ link, origin }: { link: RunLink; origin: string | undefined }) {
  const href = runHref(link)
  if (href.length > MAX_LINK_LENGTH) {
    return <p className="text-sm">Too many overrides to fit in a link.</p>
  }
  return <CopyLink href={href} origin={origin} />
}

/** HTML and Markdown that embed the picture of a run. */
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
