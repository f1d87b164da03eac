'use client'

import { Button, ButtonLink } from '../button.tsx'
import { worldHref } from '../entity-href.ts'
import { Notice } from '../notice.tsx'
import type { Previewed, useUpload } from './use-upload.ts'

/** Publishes what is being looked at. */
export function PublishBar({
  upload: { publishing, signedIn, publish, work },
  previewed: { answer, view },
}: {
  upload: ReturnType<typeof useUpload>
  previewed: Previewed
}) {
  if (publishing.at === 'done') {
    return (
      <div role="status">
        <Notice title={`${view.framed.name} is published`}>
          <p>It is in the gallery, for everybody. On its page you can replace or delete it.</p>
          <ButtonLink
            // The button that was pressed is gone.
            ref={(link) => link?.focus()}
            look="primary"
            href={worldHref(publishing.slug)}
          >
            Go to its page
          </ButtonLink>
        </Notice>
      </div>
    )
  }
  const lines = publishing.at === 'refused' ? publishing.lines : answer.refusal ? [`${answer.refusal}.`] : []
  const underWay = publishing.at === 'under way'
  return (
    <section aria-label="Publish" className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <Button
        look="primary"
        disabled={work !== undefined || answer.refusal !== undefined}
        // Not disabled while it works: that would take the focus away.
        onClick={() => (underWay ? undefined : void publish())}
      >
        {underWay ? 'Publishing…' : signedIn ? 'Publish it' : 'Sign in and publish it'}
      </Button>
      <div role="status" className="min-w-0 flex-1 text-sm [overflow-wrap:anywhere]">
        {underWay ? (
          <progress
            aria-label="Publishing"
            className="h-1.5 w-full max-w-md accent-accent"
            max={1}
            {...(publishing.share < 1 && { value: publishing.share })}
          />
        ) : null}
        {lines.map((line) => (
          <p key={line} className="text-madder">
            {line}
          </p>
        ))}
      </div>
    </section>
  )
}
