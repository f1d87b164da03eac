import type { Metadata } from 'next'
import { textLink } from '../../../lib/ui/components/link-style.ts'
import { measure, workbenchWidth } from '../../../lib/ui/components/measure.ts'
import { Notice } from '../../../lib/ui/components/notice.tsx'
import { OwnStudio } from '../../../lib/ui/studio/shell/studio.tsx'

export const metadata: Metadata = {
  title: 'Studio',
  description: 'Compose connectors, write transformations and conditions, and see the numbers they generate.',
}

export default function StudioPage() {
  return (
    <div data-workbench className={`${measure} ${workbenchWidth} pb-16`}>
      <h1 className="pt-2 pb-3 font-semibold text-xl">Studio</h1>
      <div className="unscripted">
        <Notice title="The studio needs JavaScript">
          <p>
            Connectors are edited in the browser itself. Without a script you can read everything that is
            published: the{' '}
            <a className={textLink} href="/feed">
              feed
            </a>{' '}
            lists it. The{' '}
            <a className={textLink} href="/docs/lessons">
              lessons
            </a>{' '}
            can be read, too.
          </p>
        </Notice>
      </div>
      <OwnStudio />
    </div>
  )
}
