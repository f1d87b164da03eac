'use client'

import { useEffect, useState } from 'react'
import { MAX_LINK_LENGTH, type RunLink, runHref } from '../../domain/run-link.ts'
import { Button } from '../button.tsx'
import { Command } from '../command.tsx'
import { CopyButton } from '../copy-button.tsx'

const SAID_MS = 2000

/** Copies the link of a run; says so to everybody, and shows the link where copying is not allowed. */
export function CopyLink({ link, origin }: { link: RunLink; origin: string | undefined }) {
  const [said, setSaid] = useState<'copied' | 'refused'>()
  useEffect(() => {
    if (said !== 'copied') return
    const timer = setTimeout(() => setSaid(undefined), SAID_MS)
    return () => clearTimeout(timer)
  }, [said])
  const href = runHref(link)
  if (href.length > MAX_LINK_LENGTH) {
    return <p className="text-sm">It sets too many starts for a link.</p>
  }
  const copy = () => {
    const text = new URL(href, origin ?? window.location.origin).href
    navigator.clipboard.writeText(text).then(
      () => setSaid('copied'),
      () => setSaid('refused'),
    )
  }
  return (
    <span className="scripted inline-flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button onClick={copy}>Copy link</Button>
      <span role="status" className="text-sm">
        {said === 'copied' ? 'Copied.' : null}
        {said === 'refused' ? (
          <>
            The browser does not let pages copy:{' '}
            <a className="underline [overflow-wrap:anywhere]" href={href}>
              take the link from here
            </a>
          </>
        ) : null}
      </span>
    </span>
  )
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
      <p className="pb-1 text-ink-soft text-xs">
        {name} <CopyButton text={code} what={`${name} code`} />
      </p>
      <Command>{code}</Command>
    </div>
  )
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
