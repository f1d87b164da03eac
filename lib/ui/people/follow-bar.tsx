'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { formatInteger } from '#lib/browser/format.ts'
import { ask, Refusal } from '#lib/browser/requests.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { ownerHref } from '#lib/ui/components/entity-href.ts'
import { useAction } from '#lib/ui/components/use-action.ts'
import { Button, ButtonLink } from '#lib/ui/kit/button.tsx'
import { quietLink } from '#lib/ui/kit/link-style.ts'
import { signedInAccount } from '#lib/ui/wallet/prompt.ts'
import { useAccount } from './use-account.ts'

export interface FollowBarProps {
  readonly address: Address
  /** The account the page was rendered for; undefined for a visitor. */
  readonly viewer: Address | undefined
  readonly followed: boolean
  readonly followers: number
  /** Whether there are more than were counted. */
  readonly moreFollowers: boolean
  readonly following: number
  /** False for an address that never signed in. */
  readonly present: boolean
}

/** Links to followers and follows, with the follow button. */
export function FollowBar(props: FollowBarProps) {
  const { address, viewer, present } = props
  const [followed, setFollowed] = useState(props.followed)
  const { busy, message, act } = useAction(errorMessage)
  const router = useRouter()
  const account = useAccount(viewer)
  const own = account === address
  const followers = props.followers + Number(followed) - Number(props.followed)

  const press = async () => {
    if (account === undefined) {
      const signedIn = await signedInAccount()
      // The viewer may own the page.
      if (signedIn === undefined || signedIn === address) return
    }
    const next = account === undefined ? true : !followed
    setFollowed(next)
    try {
      await ask('POST', next ? '/services/social/follow' : '/services/social/unfollow', {
        followed_id: address,
      })
    } catch (error) {
      setFollowed(!next)
      throw error
    }
    // A refresh requested earlier, as after signing in, may arrive later with the old state.
    router.refresh()
  }

  return (
    <div className="mt-5">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <Count
          href={`${ownerHref(address)}/followers`}
          count={followers}
          more={props.moreFollowers}
          one="follower"
          many="followers"
        />
        <Count
          href={`${ownerHref(address)}/following`}
          count={props.following}
          one="following"
          many="following"
        />
        {own ? (
          <ButtonLink href="/account">Edit profile</ButtonLink>
        ) : present ? (
          <Button
            look={followed && account !== undefined ? 'outline' : 'filled'}
            aria-pressed={account === undefined ? undefined : followed}
            aria-busy={busy}
            onClick={() => void act(press)}
            className="scripted min-w-28"
          >
            {followed && account !== undefined ? 'Following' : 'Follow'}
          </Button>
        ) : null}
      </div>
      <p role="status" className="mt-2 text-sm empty:mt-0">
        {message}
      </p>
    </div>
  )
}

interface CountProps {
  readonly href: string
  readonly count: number
  readonly more?: boolean
  readonly one: string
  readonly many: string
}

function Count({ href, count, more = false, one, many }: CountProps) {
  return (
    <a href={href} className={`${quietLink} inline-flex min-h-11 items-center gap-1.5 text-sm`}>
      <span className="mono font-medium text-base">
        {formatInteger(count)}
        {more ? '+' : ''}
      </span>
      <span className="text-ink-soft">{count === 1 ? one : many}</span>
    </a>
  )
}

function errorMessage(error: unknown): string {
  if (!(error instanceof Refusal)) return 'The site does not answer, so nothing has changed. Try again.'
  if (error.status === 401) return 'Your session has ended. Sign in again to follow.'
  if (error.status === 404) return 'This person is not here any more.'
  if (error.status === 429)
    return 'You follow as many people as one can. Leave some before you follow others.'
  return 'That did not work. Try again in a moment.'
}
