import type { Metadata } from 'next'
import { connection } from 'next/server'
import { textLink } from '#lib/ui/components/link-style.ts'
import { readOwnPage } from '#lib/views/read.ts'
import { agentsView } from '#lib/views/user.ts'
import { AccountFrame } from '../_parts/account-frame.tsx'
import { Agents } from './_agents/agents.tsx'

export const metadata: Metadata = {
  title: 'Agents',
  description: 'Let a program publish within limits that you set once.',
  robots: { index: false },
}

export default async function AgentsPage() {
  await connection()
  const { session, view, readable } = await readOwnPage('agents', agentsView)
  return (
    <AccountFrame
      title="Agents"
      lead={
        <>
          Let a program publish within limits that you set once, and stop it at any time.{' '}
          <a className={textLink} href="/docs/agents#publishing-by-a-grant">
            How an agent uses it
          </a>
        </>
      }
      path="/account/agents"
      viewer={session?.address}
      readable={readable}
      purpose="Signed in, you can let a program with a key of its own publish within limits that you set."
    >
      {session === undefined ? null : (
        <Agents account={session.address} saved={view.saved} nowMs={view.nowMs} />
      )}
    </AccountFrame>
  )
}
