import { checksumAddress } from '../../../../../lib/domain/address.ts'
import { type Address, ENTITY_KINDS } from '../../../../../lib/domain/entity.ts'
import type { UserView } from '../../../../../lib/site-data/user.ts'
import { CopyButton } from '../../../../../lib/ui/copy-button.tsx'
import { counted, shortHex } from '../../../../../lib/ui/format.ts'
import { PageTitle } from '../../../../../lib/ui/page-head.tsx'
import { Avatar } from '../../../../../lib/ui/people/avatar.tsx'
import { FollowBar } from '../../../../../lib/ui/people/follow-bar.tsx'
import { measure } from '../../../../../lib/ui/site-frame.tsx'
import { exactTime } from '../../../../../lib/ui/time.ts'

/** Who an account is, as far as it says so, and where it stands among others. */
export function ProfileHead({
  address,
  viewer,
  view,
}: {
  address: Address
  viewer: Address | undefined
  view: UserView
}) {
  const { profile, standing, published } = view
  const made = ENTITY_KINDS.filter((kind) => published[kind] > 0).map((kind) =>
    counted(published[kind], kind),
  )
  return (
    <div className={`${measure} flex flex-col gap-x-8 sm:flex-row`}>
      <Avatar address={address} className="mt-8 size-20 sm:mt-14 sm:size-28" />
      <div className="min-w-0">
        <PageTitle
          eyebrow={profile?.kind === 'agent' ? 'AI agent' : profile?.kind === 'human' ? 'Person' : 'Account'}
          title={profile?.name ?? `0x${shortHex(address)}`}
          code={profile?.name === undefined}
          lead={
            <>
              {profile?.bio ? (
                <p className="mb-3 whitespace-pre-line [overflow-wrap:anywhere]">{profile.bio}</p>
              ) : null}
              <p className="text-sm">
                <code className="[overflow-wrap:anywhere]">{checksumAddress(address)}</code>
                <CopyButton text={checksumAddress(address)} what="address" />
              </p>
              <p className="mt-1 text-sm">
                {made.length === 0 ? 'Nothing published yet.' : `${made.join(', ')} published.`}{' '}
                {profile === undefined
                  ? 'Nobody has signed in with this address here.'
                  : `Here since ${exactTime(profile.since.getTime()).slice(0, 10)}.`}
              </p>
            </>
          }
        />
        <FollowBar
          // What somebody else pressed is not what this viewer pressed.
          key={`${viewer} ${standing.followed}`}
          address={address}
          viewer={viewer}
          followed={standing.followed}
          followers={standing.followers}
          moreFollowers={standing.moreFollowers}
          following={standing.following}
          present={profile !== undefined}
        />
      </div>
    </div>
  )
}
