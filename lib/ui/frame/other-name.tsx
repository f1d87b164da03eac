'use client'

import { useEffect, useState } from 'react'
import { browserMemory } from '#lib/browser/memory.ts'
import { Button, ButtonLink } from '#lib/ui/kit/button.tsx'

const SEEN = 'weft-other-name'

/**
 * Says that the page was opened under another name than the site is set up for: sign-in and links then belong elsewhere.
 *
 * @param siteOrigin `SITE_ORIGIN`; undefined where it cannot be read.
 */
export function OtherName({ siteOrigin }: { siteOrigin: string | undefined }) {
  const [here, setHere] = useState<URL>()
  useEffect(() => {
    const isOwn = siteOrigin === undefined || location.origin === siteOrigin
    // Frames, and pages without an origin, belong to other sites.
    if (isOwn || window.top !== window || window.origin === 'null') return
    if (browserMemory.read(SEEN) !== location.origin) setHere(new URL(location.href))
  }, [siteOrigin])
  if (here === undefined || siteOrigin === undefined) return null
  return (
    <aside
      aria-label="Name of the site"
      className="fixed right-3 bottom-17 z-over max-w-[min(26rem,calc(100vw-1.5rem))] rounded-lg border border-calm-line bg-calm p-4 text-sm shadow-lg [overflow-wrap:anywhere]"
    >
      <p>
        This site is set up as {siteOrigin}, and you opened it as {here.origin}. Signing in, and links that
        you share, work under the first name only. To use the second, whoever runs the site sets{' '}
        <code>SITE_ORIGIN={here.origin}</code> and starts it again.
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <ButtonLink size="small" href={siteOrigin + here.pathname + here.search + here.hash}>
          Go to {siteOrigin}
        </ButtonLink>
        <Button
          size="small"
          onClick={() => {
            browserMemory.write(SEEN, here.origin)
            setHere(undefined)
          }}
        >
          Stay here
        </Button>
      </div>
    </aside>
  )
}
