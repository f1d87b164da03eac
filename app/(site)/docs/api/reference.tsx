'use client'

import Script from 'next/script'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../../../../lib/ui/button.tsx'
import { darkShown, watchTheme } from '../../../../lib/ui/theme-toggle.tsx'

interface Viewer {
  destroy(): void
}

type ViewerConfiguration = Readonly<Record<string, unknown>>

declare global {
  interface Window {
    Scalar?: { createApiReference(element: HTMLElement, configuration: ViewerConfiguration): Viewer }
  }
}

export interface ApiDocument {
  readonly title: string
  /** Part of the address of what is shown. */
  readonly slug: string
  readonly url: string
}

interface ReferenceProps {
  readonly script: string
  /** The OpenAPI documents to choose from; the first is shown at first. */
  readonly documents: readonly ApiDocument[]
  readonly className: string
  readonly head: ReactNode
  /** What is to be known without the viewer; it and the head make room for that. */
  readonly children: ReactNode
}

/**
 * Every operation in a line, and on demand the interactive reference: a viewer of a megabyte, drawn from the document
 * that the API serves. An address that names a place in the viewer demands it, too.
 */
export function Reference({ script, documents, className, head, children }: ReferenceProps) {
  const place = useRef<HTMLDivElement>(null)
  const [stage, setStage] = useState<'list' | 'loading' | 'failed' | 'viewer'>('list')
  const loaded = stage === 'viewer'

  useEffect(() => {
    if (documents.some(({ slug }) => window.location.hash.startsWith(`#${slug}/`))) setStage('loading')
  }, [documents])

  useEffect(() => {
    if (!loaded || place.current === null || window.Scalar === undefined) return
    const landmarks = keepOneMain(place.current)
    const viewer = window.Scalar.createApiReference(place.current, configure(documents))
    const unwatch = watchTheme(paintViewer)
    return () => {
      unwatch()
      landmarks.disconnect()
      viewer.destroy()
    }
  }, [loaded, documents])

  return (
    <>
      {loaded ? null : (
        <div className={className}>
          {head}
          <div className="scripted mt-6 flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button disabled={stage === 'loading'} onClick={() => setStage('loading')}>
              {stage === 'loading' ? 'Opening the interactive reference' : 'Open the interactive reference'}
            </Button>
            <p role="status" className="text-ink-soft text-sm">
              {stage === 'failed'
                ? 'It could not be loaded. Try again.'
                : 'With all fields, examples, and requests to try: 1.2 MB.'}
            </p>
          </div>
          {children}
        </div>
      )}
      <div ref={place} />
      {stage === 'loading' || loaded ? (
        <Script src={script} onReady={() => setStage('viewer')} onError={() => setStage('failed')} />
      ) : null}
    </>
  )
}

/** The viewer reads its configuration once; what it paints by afterwards are these classes. */
function paintViewer(): void {
  const dark = darkShown()
  window.document.body.classList.toggle('dark-mode', dark)
  window.document.body.classList.toggle('light-mode', !dark)
}

/** The viewer brings `main` elements of its own, also outside its place, into a page that has one. */
function keepOneMain(place: HTMLElement): MutationObserver {
  const { body } = place.ownerDocument
  const own = place.closest('main')
  const observer = new MutationObserver(() => {
    for (const main of body.querySelectorAll('main:not([role])')) {
      if (main !== own) main.setAttribute('role', 'region')
    }
  })
  observer.observe(body, { childList: true, subtree: true })
  return observer
}

/** Nothing of it may call home: no fonts, no telemetry, no proxy, no assistant, no hosted tools. */
function configure(documents: readonly ApiDocument[]): ViewerConfiguration {
  const dark = darkShown()
  return {
    sources: documents.map((document) => ({ ...document })),
    theme: 'none',
    darkMode: dark,
    forceDarkModeState: dark ? 'dark' : 'light',
    hideDarkModeToggle: true,
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true, hideAddApi: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    hideClientButton: true,
    documentDownloadType: 'direct',
    customCss: STYLE,
  }
}

const STYLE = `
.light-mode, .dark-mode {
  --scalar-font: var(--font-sans);
  --scalar-font-code: var(--font-mono);
  --scalar-background-1: var(--color-ground);
  --scalar-background-2: var(--color-sunk);
  --scalar-background-3: var(--color-line);
  --scalar-background-accent: var(--color-calm);
  --scalar-color-1: var(--color-ink);
  --scalar-color-2: var(--color-ink-soft);
  --scalar-color-3: var(--color-ink-soft);
  --scalar-color-accent: var(--color-accent);
  --scalar-border-color: var(--color-line);
  --scalar-color-green: var(--color-verdigris);
  --scalar-color-red: var(--color-madder);
  --scalar-color-yellow: var(--color-weld);
  --scalar-color-blue: var(--color-indigo);
  --scalar-color-orange: var(--color-walnut);
  --scalar-color-purple: var(--color-cochineal);
  --scalar-button-1: var(--color-accent);
  --scalar-button-1-color: var(--color-on-accent);
  --scalar-button-1-hover: var(--color-ink);
  --scalar-radius: 4px;
  --scalar-radius-lg: 6px;
  --scalar-radius-xl: 8px;
  --scalar-sidebar-background-1: var(--color-ground);
  --scalar-sidebar-color-1: var(--color-ink);
  --scalar-sidebar-color-2: var(--color-ink-soft);
  --scalar-sidebar-border-color: var(--color-line);
  --scalar-sidebar-item-hover-background: var(--color-sunk);
  --scalar-sidebar-item-active-background: var(--color-sunk);
  --scalar-sidebar-color-active: var(--color-ink);
  --scalar-sidebar-search-background: var(--color-sunk);
  --scalar-sidebar-search-border-color: var(--color-line);
  --scalar-sidebar-search-color: var(--color-ink-soft);
}
`
