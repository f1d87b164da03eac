import type { Metadata } from 'next'
import { notFound, redirect } from 'next/navigation'
import { connection } from 'next/server'
import { usersNamed } from '#lib/core/people/users.ts'
import { ownerHref } from '#lib/ui/components/entity-href.ts'
import { measure } from '#lib/ui/components/measure.ts'
import { Unreadable } from '#lib/ui/components/notice.tsx'
import { PageHead } from '#lib/ui/components/page-head.tsx'
import { HitList } from '#lib/ui/lists/hit-list.tsx'
import { viewPerson } from '#lib/ui/lists/hit-view.ts'
import { readForPage } from '#lib/views/read.ts'

/** Accounts that the list shows. */
const MOST = 50

interface Props {
  params: Promise<{ name: string }>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const name = decoded((await params).name) ?? ''
  return { title: `@${[...name].slice(0, 60).join('')}`, robots: { index: false } }
}

/** `/@name`: leads to the account of that name, or lists the accounts that share it. */
export default async function NamedAccountPage({ params }: Props) {
  await connection()
  const name = decoded((await params).name)
  if (name === undefined) notFound()
  const reading = await readForPage('accounts of a name', (ctx) => usersNamed(ctx, { name, limit: MOST }))
  if (!reading.ok) return <Unreadable title={`@${name}`} again={`/@${encodeURIComponent(name)}`} />
  const accounts = reading.value
  const [only, another] = accounts
  if (only === undefined) notFound()
  if (another === undefined) redirect(ownerHref(only.address))
  return (
    <>
      <PageHead
        title={only.name}
        lead={<p>Several accounts have this name. Names are not reserved: the address tells them apart.</p>}
      />
      <div className={`${measure} mt-8`}>
        <div className="max-w-[46rem]">
          <HitList hits={accounts.map(viewPerson)} />
        </div>
      </div>
    </>
  )
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
