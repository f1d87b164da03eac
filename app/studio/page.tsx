import type { Metadata } from 'next'
import { AssistantOffer } from '#lib/features/assistant/pages/index.ts'
import { Notice } from '#lib/ui/components/notice.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { OwnStudio } from '#lib/ui/studio/shell/studio.tsx'

export const metadata: Metadata = {
  title: 'Studio',
  description: 'Compose pieces, write functions, and see and hear the numbers they make.',
}

export default function StudioPage() {
  return (
    <>
      <div className="unscripted p-6">
        <Notice title="The studio needs JavaScript">
          <p>
            Pieces are edited in the browser itself. Without a script you can read everything that is
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
      <AssistantOffer>
        <OwnStudio />
      </AssistantOffer>
    </>
  )
}
