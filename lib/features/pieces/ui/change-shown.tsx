'use client'

import { LoadLater, laterPart } from '#lib/ui/kit/load-later.tsx'
import { useSession } from '#lib/ui/wallet/session/use-session.ts'
import type { ChangeShownProps } from './change-form.tsx'

const changeForm = laterPart('The form', () =>
  import('./change-form.tsx').then((loaded) => loaded.ChangeForm),
)

/** Form by which the owner of a piece changes how it is shown on this site; its code is loaded for the owner alone. */
export function ChangeShown(props: ChangeShownProps) {
  const state = useSession()
  const isOwner = state.status === 'signed_in' && state.session.address === props.owner
  return isOwner ? <LoadLater part={changeForm} props={props} opening="" /> : null
}
