import type { Metadata } from 'next'
import { connection } from 'next/server'
import type { Address } from '../../../lib/protocol/entity.ts'
import { ownerHref } from '../../../lib/ui/components/entity-href.ts'
import { textLink } from '../../../lib/ui/components/link-style.ts'
import { measure } from '../../../lib/ui/components/measure.ts'
import { Notice, Unreadable } from '../../../lib/ui/components/notice.tsx'
import { PageHead } from '../../../lib/ui/components/page-head.tsx'
import type { ProfileFields } from '../../../lib/ui/people/merge-profile.ts'
import { readForPage, readViewer } from '../../../lib/views/read.ts'
import { type AccountView, accountView } from '../../../lib/views/user.ts'
import { Part } from '../_entity/entity-page.tsx'
import { DeleteAccount } from './_parts/delete-account.tsx'
import { ProfileForm } from './_parts/profile-form.tsx'
import { Sessions } from './_parts/sessions.tsx'
import { Whose } from './_parts/whose.tsx'

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
  const session = await readViewer()
  const { deleted } = await searchParams
  const reading =
    session === undefined
      ? ({ ok: true, value: undefined } as const)
      : await readForPage('an account', (ctx) => accountView(ctx, session))
  return (
    <>
      <PageHead title="Your account" />
      {reading.ok ? (
        <div className={`${measure} mt-8`}>
          {reading.value === undefined || session === undefined ? (
            <>
              {deleted === undefined ? null : (
                <div className="mb-8">
                  <Notice title="Your account is deleted">
                    <p>Nothing of your profile is left here. What is on chain stays yours.</p>
                  </Notice>
                </div>
              )}
              <Whose viewer={undefined} />
            </>
          ) : (
            <Whose key={session.address} viewer={session.address}>
              <Own address={session.address} view={reading.value} />
            </Whose>
          )}
        </div>
      ) : (
        <Unreadable again="/account" />
      )}
    </>
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
