import type { Metadata, Viewport } from 'next'
import localFont from 'next/font/local'
import { connection } from 'next/server'
import type { ReactNode } from 'react'
import { SiteWordsProvider } from '#lib/ui/components/site-words.tsx'
import { themeScript } from '#lib/ui/components/theme-script.ts'
import { typingScript } from '#lib/ui/frame/guards/typed-early.ts'
import { OtherName } from '#lib/ui/frame/other-name.tsx'
import { PageGuards } from '#lib/ui/frame/page-guards.tsx'
import { configuredOrigin, siteWords } from '#lib/views/read.ts'
import './globals.css'

const instrument = localFont({
  src: '../node_modules/@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2',
  variable: '--font-instrument',
  weight: '400 700',
  display: 'swap',
})

const spline = localFont({
  src: '../node_modules/@fontsource/spline-sans-mono/files/spline-sans-mono-latin-400-normal.woff2',
  // One face, a third of the variable one: every page waits for it, and medium differs little.
  weight: '400 500',
  variable: '--font-spline',
  display: 'swap',
  adjustFontFallback: false,
  fallback: ['ui-monospace', 'Menlo', 'monospace'],
})

export async function generateMetadata(): Promise<Metadata> {
  await connection()
  const { name } = await siteWords()
  return {
    title: { default: name, template: `%s · ${name.replaceAll('%', '％')}` },
    applicationName: name,
    description:
      'Make music and moving pictures from patterns of numbers, play them in the browser, and publish them for everyone to remix.',
    icons: { icon: '/icon.svg' },
  }
}

export const viewport: Viewport = {
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f5f6f4' },
    { media: '(prefers-color-scheme: dark)', color: '#10121b' },
  ],
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Pages are drawn for a request: the framework's inline scripts carry its nonce, or the pages' policy stops them.
  await connection()
  const [words, origin] = await Promise.all([siteWords(), configuredOrigin()])
  return (
    // The theme script may set `data-theme` before hydration.
    <html lang="en" className={`${instrument.variable} ${spline.variable}`} suppressHydrationWarning>
      <head>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant text, needed before first paint */}
        <script dangerouslySetInnerHTML={{ __html: themeScript }} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: likewise, needed before the first key */}
        <script dangerouslySetInnerHTML={{ __html: typingScript }} />
      </head>
      <body>
        <PageGuards />
        <SiteWordsProvider words={words}>{children}</SiteWordsProvider>
        <OtherName siteOrigin={origin} />
      </body>
    </html>
  )
}
