import type { Metadata } from 'next'
import { assistantSettings } from '#lib/features/assistant/index.ts'
import { getServices } from '#lib/server/services.ts'
import { Notice } from '#lib/ui/components/notice.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { AssistantOffer } from '#lib/ui/studio/assistant/offer.tsx'
import { StudioFrame } from '#lib/ui/studio/shell/frame.tsx'
import { OwnStudio } from '#lib/ui/studio/shell/studio.tsx'

export const metadata: Metadata = {
  title: 'Studio',
  description: 'Compose connectors, write transformations and conditions, and see the numbers they generate.',
}

/** Endpoints of assistants; with an invalid configuration, none. */
async function assistantEndpoints(): Promise<readonly string[]> {
  try {
    return assistantSettings.of((await getServices()).config).endpoints
  } catch {
    return []
  }
}

export default async function StudioPage() {
  const endpoints = await assistantEndpoints()
  return (
    <StudioFrame>
      <div className="unscripted p-6">
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
      <AssistantOffer endpoints={endpoints}>
        <OwnStudio />
      </AssistantOffer>
    </StudioFrame>
  )
}
