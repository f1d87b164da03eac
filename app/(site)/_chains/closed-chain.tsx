import { ButtonLink } from '#lib/ui/components/button.tsx'
import { Notice } from '#lib/ui/components/notice.tsx'

/** In place of what a further chain holds, while it cannot be read. */
export function ClosedChain({ name, why }: { name: string; why: string }) {
  return (
    <Notice title={`${name} is not open now`}>
      <p>{why}</p>
      <ButtonLink href="/status">Status</ButtonLink>
    </Notice>
  )
}
