import type { Metadata } from 'next'
import { connection } from 'next/server'
import { Webhooks } from '#lib/features/webhooks/ui/index.ts'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { readOwnPage } from '#lib/views/read.ts'
import { webhooksView } from '#lib/views/user.ts'
import { AccountFrame } from '../_parts/account-frame.tsx'

export const metadata: Metadata = {
  title: 'Webhooks',
  description: 'Have what is published sent to your own server.',
  robots: { index: false },
}

export default async function WebhooksPage() {
  await connection()
  const { session, view, readable } = await readOwnPage('webhooks', webhooksView)
  return (
    <AccountFrame
      title="Webhooks"
      lead={
        <>
          What is published, sent to your own server as it happens.{' '}
          <a className={textLink} href="/docs/webhooks">
            How to receive and check it
          </a>
        </>
      }
      path="/account/webhooks"
      viewer={session?.address}
      readable={readable}
      purpose="Signed in, you can name an address of your own server, and what is published is sent there."
    >
      {session === undefined ? null : (
        <Webhooks account={session.address} saved={view.saved} nowMs={view.nowMs} />
      )}
    </AccountFrame>
  )
}
