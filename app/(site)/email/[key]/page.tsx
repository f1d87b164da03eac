import type { Metadata } from 'next'
import { connection } from 'next/server'
import { subscriptionByKey } from '#lib/core/people/mail/subscription.ts'
import { Button } from '#lib/ui/components/button.tsx'
import { textLink } from '#lib/ui/components/link-style.ts'
import { measure } from '#lib/ui/components/measure.ts'
import { Notice, Unreadable } from '#lib/ui/components/notice.tsx'
import { PageHead } from '#lib/ui/components/page-head.tsx'
import { readForPage } from '#lib/views/read.ts'

export const metadata: Metadata = {
  title: 'Notices by e-mail',
  description: 'Confirm an address, or end the e-mails.',
  robots: { index: false },
  referrer: 'no-referrer',
}

/** Where the links of e-mails lead. Reading it changes nothing: mail programs open links by themselves. */
export default async function EmailPage({ params }: { params: Promise<{ key: string }> }) {
  await connection()
  const { key } = await params
  const reading = await readForPage('an e-mail address', (ctx) => subscriptionByKey(ctx, key))
  if (!reading.ok) return <Unreadable again={`/email/${key}`} />
  const subscription = reading.value
  return (
    <>
      <PageHead title="Notices by e-mail" />
      <div className={`${measure} space-y-6`}>
        {subscription === undefined ? (
          <Notice title="No more e-mails">
            <p>
              This link has ended: nothing is sent to its address. Signed in, you can give one under{' '}
              <a className={textLink} href="/notices">
                Notices
              </a>
              .
            </p>
          </Notice>
        ) : (
          <>
            <p className="max-w-prose [overflow-wrap:anywhere]">
              {subscription.confirmed
                ? `New notices are sent to ${subscription.address}, at most one e-mail an hour.`
                : `Shall new notices be sent to ${subscription.address}?`}
            </p>
            <div className="flex flex-wrap gap-3">
              {subscription.confirmed ? null : (
                <form method="post" action={`/email/${key}/confirm`}>
                  <Button type="submit" look="primary">
                    Confirm
                  </Button>
                </form>
              )}
              <form method="post" action={`/email/${key}/unsubscribe`}>
                <Button type="submit">{subscription.confirmed ? 'No more e-mails' : 'No, thank you'}</Button>
              </form>
            </div>
          </>
        )}
      </div>
    </>
  )
}
