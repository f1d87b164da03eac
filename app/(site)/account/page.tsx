import type { Metadata } from 'next'
import { connection } from 'next/server'
import type { Address } from '#lib/protocol/entity.ts'
import { ownerHref } from '#lib/ui/components/entity-href.ts'
import { Notice } from '#lib/ui/components/notice.tsx'
import { Part } from '#lib/ui/components/part.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import type { ProfileFields } from '#lib/ui/people/merge-profile.ts'
import { readOwnPage } from '#lib/views/read.ts'
import { type AccountView, accountView } from '#lib/views/user.ts'
import { placeOf } from '../oauth/authorize/_parts/place.ts'
import { AccountFrame } from './_parts/account-frame.tsx'
import { Applications } from './_parts/applications.tsx'
import { DeleteAccount } from './_parts/delete-account.tsx'
import { OwnPasskey } from './_parts/own-passkey.tsx'
import { ProfileForm } from './_parts/profile-form.tsx'
import { Sessions } from './_parts/sessions.tsx'

interface Props {
  searchParams: Promise<{ deleted?: string | string[] }>
}

export const metadata: Metadata = {
  title: 'Your account',
  description: 'Your profile, your sessions, and the way out.',
  robots: { index: false },
}

export default async function AccountPage({ searchParams }: Props) {
  await connection()
  const { deleted } = await searchParams
  const { session, view, readable } = await readOwnPage('an account', accountView)
  const viewer = view === undefined ? undefined : session.address
  return (
    <AccountFrame
      title="Your account"
      path="/account"
      viewer={viewer}
      readable={readable}
      purpose="Signed in, you can choose a nickname, say something about yourself, follow people and see where else you are signed in."
      notice={
        viewer !== undefined || deleted === undefined ? undefined : (
          <Notice title="Your account is deleted">
            <p>Nothing of your profile is left here. What is on chain stays yours.</p>
          </Notice>
        )
      }
    >
      {view === undefined || viewer === undefined ? null : <Own address={viewer} view={view} />}
    </AccountFrame>
  )
}

function Own({ address, view }: { address: Address; view: AccountView }) {
  const rows = view.sessions.map(({ createdAt, expiresAt, current }) => ({
    createdAtMs: createdAt.getTime(),
    expiresAtMs: expiresAt.getTime(),
    current,
  }))
  return (
    <div className="space-y-14">
      <Part
        title="Profile"
        lead={
          <>
            What others read on{' '}
            <a className={textLink} href={ownerHref(address)}>
              your page
            </a>
            .
          </>
        }
      >
        <ProfileForm address={address} saved={fieldsOf(view)} />
      </Part>
      <Part title="Where you are signed in">
        <Sessions rows={rows} nowMs={view.nowMs} />
      </Part>
      <Part title="Connected applications">
        <Applications
          account={address}
          rows={view.applications.map(({ createdAt, usedAt, redirectUri, ...row }) => ({
            ...row,
            place: placeOf(redirectUri),
            createdAtMs: createdAt.getTime(),
            usedAtMs: usedAt?.getTime(),
          }))}
          nowMs={view.nowMs}
        />
      </Part>
      <OwnPasskey />
      <Part title="Delete your account">
        <DeleteAccount address={address} />
      </Part>
    </div>
  )
}

function fieldsOf({ profile: { name, bio, kind } }: AccountView): ProfileFields {
  return {
    nickname: name ?? '',
    bio: bio ?? '',
    kind: kind === 'agent' ? 'ai_agent' : (kind ?? ''),
  }
}
