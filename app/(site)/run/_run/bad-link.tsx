import { ButtonLink } from '../../../../lib/ui/button.tsx'
import { entityHref } from '../../../../lib/ui/entity-href.ts'
import { Notice } from '../../../../lib/ui/notice.tsx'
import { PageHead } from '../../../../lib/ui/page-head.tsx'
import { measure } from '../../../../lib/ui/site-frame.tsx'

/** In place of a run whose address does not say which. */
export function BadLink({
  name,
  problems,
  title = 'This link says no run',
}: {
  name: string
  problems: readonly string[]
  title?: string
}) {
  return (
    <>
      <PageHead title={name} code eyebrow="A run" />
      <div className={`${measure} mt-8`}>
        <Notice title={title}>
          <ul className="list-disc space-y-1 pl-5">
            {problems.slice(0, 8).map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
          <p>Start over with the connector as it is, and change the run on its page.</p>
          <div className="flex flex-wrap gap-3">
            <ButtonLink href={`/run/${encodeURIComponent(name)}`}>Run {name}</ButtonLink>
            <ButtonLink href={entityHref('connector', name)}>Its page</ButtonLink>
          </div>
        </Notice>
      </div>
    </>
  )
}
