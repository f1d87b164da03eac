import type { Metadata } from 'next'
import { BUNDLE_LIMITS } from '#lib/compute/bundle/limits.ts'
import { bundleExtensions } from '#lib/compute/bundle/mime.ts'
import { measure } from '#lib/ui/components/measure.ts'
import { PageHead } from '#lib/ui/components/page-head.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { formatBytes } from '#lib/ui/world/error-messages.ts'
import { WorldEditor } from '#lib/ui/world-editor/world-editor.tsx'

const DESCRIPTION = 'Try a World of your own, see everything that is wrong with it at once, and publish it.'

export const metadata: Metadata = { title: 'Upload a World', description: DESCRIPTION }

export default function UploadPage() {
  const { upload, extracted, files, preview, page } = BUNDLE_LIMITS
  return (
    <>
      <PageHead
        title="Upload a World"
        lead={
          <p>
            Try it first: a preview runs behind the same walls as every World, for you alone. Nothing is
            published until you say so.
          </p>
        }
      />
      <div className={`${measure} mt-8 space-y-8`}>
        <section aria-labelledby="limits" className="max-w-[52rem] text-sm">
          <h2 id="limits" className="font-semibold text-base">
            What a bundle may be
          </h2>
          <ul className="mt-2 list-disc space-y-1 pl-5">
            <li>
              A web page with all it needs and a <code>world-manifest.json</code> at its root; the{' '}
              <a className={textLink} href="/docs/make-a-world">
                World kit
              </a>{' '}
              has one to begin with.
            </li>
            <li>
              At most {formatBytes(upload)} as a ZIP, {formatBytes(extracted)} unpacked, {files} files; a page
              at most {formatBytes(page)}, its picture {formatBytes(preview)}.
            </li>
            <li>It reaches no server: everything it loads is in the bundle.</li>
          </ul>
          <details className="mt-2">
            <summary className="min-h-9 cursor-pointer py-1.5 touch:min-h-11">Kinds of files</summary>
            <p className="mono text-xs">{bundleExtensions().join(' ')}</p>
          </details>
        </section>
        <noscript>
          <p>
            Packing and previewing a World take a script, and scripts are switched off here. A program can
            send a bundle to <code>/services/worlds/upload</code>.
          </p>
        </noscript>
        <div className="scripted">
          <WorldEditor />
        </div>
      </div>
    </>
  )
}
