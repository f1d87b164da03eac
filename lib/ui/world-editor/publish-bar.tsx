'use client'

import { worldHref } from '#lib/ui/components/entity-href.ts'
import { Notice } from '#lib/ui/components/notice.tsx'
import { Button, ButtonLink } from '#lib/ui/kit/button.tsx'
import { useSession } from '#lib/ui/wallet/session/use-session.ts'
import { BundleDiff } from './bundle-diff.tsx'
import type { BundleEditor, EditorState, Previewed } from './editor.ts'

/** Publishes what is being looked at; of a World that it replaces, after what would change. */
export function PublishBar({
  editor,
  state: { publishing, work, problems, isCurrent },
  previewed: { answer, view, diff },
}: {
  editor: BundleEditor
  state: EditorState
  previewed: Previewed
}) {
  const signedIn = useSession().status === 'signed_in'
  if (publishing.at === 'done') {
    return (
      <div role="status">
        <Notice title={`${view.framed.name} is published`}>
          <p>It is in the gallery, for everybody. On its page you can replace or delete it.</p>
          <ButtonLink
            // The button that was pressed is gone.
            ref={(link) => link?.focus()}
            look="filled"
            href={worldHref(publishing.slug)}
          >
            Go to its page
          </ButtonLink>
        </Notice>
      </div>
    )
  }
  const refusal = diff ? diff.refusal : answer.refusal
  const lines = publishing.at === 'refused' ? publishing.lines : refusal ? [`${refusal}.`] : []
  const underWay = publishing.at === 'under way'
  const [idle, busy] = diff
    ? ['Replace it', 'Replacing…']
    : [signedIn ? 'Publish it' : 'Sign in and publish it', 'Publishing…']
  return (
    <section aria-label="Publish" className="space-y-4">
      {diff ? <BundleDiff diff={diff} /> : null}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Button
          look="filled"
          disabled={
            !isCurrent || work !== undefined || problems.length > 0 || refusal !== undefined || diff?.same
          }
          // Not disabled while it works: that would take the focus away.
          onClick={() => void editor.publish()}
        >
          {underWay ? busy : idle}
        </Button>
        <div role="status" className="min-w-0 flex-1 text-sm [overflow-wrap:anywhere]">
          {underWay ? (
            <progress
              aria-label={busy}
              className="h-1.5 w-full max-w-md accent-accent"
              max={1}
              {...(publishing.share > 0 && publishing.share < 1 && { value: publishing.share })}
            />
          ) : null}
          {lines.map((line) => (
            <p key={line} className="text-madder">
              {line}
            </p>
          ))}
        </div>
      </div>
    </section>
  )
}
