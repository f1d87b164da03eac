import { ButtonLink } from './button.tsx'
import { Notice } from './notice.tsx'
import { measure } from './site-frame.tsx'

/** In place of a page whose data the server could not read. @param again Address to try. */
export function Unreadable({ again }: { again: string }) {
  return (
    <div className={`${measure} mt-10`}>
      <Notice title="The network cannot be read right now">
        <p>
          This server does not reach its database. What is published is safe on chain and shows up again with
          it; usually that takes moments.
        </p>
        <ButtonLink href={again}>Look again</ButtonLink>
      </Notice>
    </div>
  )
}
