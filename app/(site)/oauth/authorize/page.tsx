import type { Metadata } from 'next'
import { connection } from 'next/server'
import { measure } from '#lib/ui/components/measure.ts'
import { Notice, Unreadable } from '#lib/ui/components/notice.tsx'
import { PageHead, titleLook } from '#lib/ui/components/page-head.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { firstOf } from '#lib/views/query.ts'
import { readForPage, readViewer } from '#lib/views/read.ts'
import { authorisationView } from '#lib/views/user.ts'
import { Whose } from '../../account/_parts/whose.tsx'
import { Answer } from './_parts/answer.tsx'
import { placeOf } from './_parts/place.ts'

interface Props {
  searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>
}

export const metadata: Metadata = {
  title: 'Connect an application',
  description: 'An application asks to act for your account.',
  robots: { index: false },
}

const FIELDS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'code_challenge',
  'code_challenge_method',
  'resource',
  'state',
] as const

export default async function AuthorizePage({ searchParams }: Props) {
  await connection()
  const query = await searchParams
  const request = Object.fromEntries(
    FIELDS.flatMap((name) => (query[name] === undefined ? [] : [[name, firstOf(query[name])]])),
  )
  const viewer = await readViewer()
  const reading = await readForPage('the request of an application', (ctx) =>
    authorisationView(ctx, request, viewer?.address),
  )
  if (!reading.ok) return <Unreadable again="/account" />
  const authorisation = reading.value
  if ('signIn' in authorisation) {
    return (
      <>
        <PageHead title="Connect an application" lead="An application asks to act for your account." />
        <div className={`${measure} mt-8`}>
          <Whose viewer={undefined} purpose="Sign in first: then you see which application it is." />
        </div>
      </>
    )
  }
  if ('refusal' in authorisation) {
    return (
      <div className={`${measure} mt-12`}>
        <h1 className={`mb-6 ${titleLook.words}`}>Nothing was connected</h1>
        <Notice title="The application did not ask as it should">
          <p>{authorisation.refusal}</p>
          <p>
            Go back to the application and connect it again. If this page returns, its makers have to mend it.
          </p>
        </Notice>
      </div>
    )
  }
  const place = placeOf(authorisation.redirectUri)
  return (
    <>
      <PageHead
        title="Connect an application"
        lead={
          <>
            “{authorisation.clientName}” asks to act for your account. It says that name itself; your answer
            goes to <strong className="font-semibold text-ink">{place}</strong>.
          </>
        }
      />
      <div className={`${measure} mt-8`}>
        <Whose
          key={viewer?.address ?? ''}
          viewer={viewer?.address}
          purpose="Sign in first: then you decide whether it may."
        >
          <div className="max-w-prose space-y-5">
            <ul className="list-disc space-y-1.5 pl-5">
              <li>It may create and change drafts in your name, and read what everyone can read.</li>
              <li>It cannot publish: that takes a signature of your wallet each time, in the studio.</li>
              <li>It does not see your keys, and cannot change your profile or your Worlds.</li>
              <li>
                It stays connected until you disconnect it on{' '}
                <a className={textLink} href="/account">
                  your account’s page
                </a>
                , or until it was not used for 30 days.
              </li>
            </ul>
            {viewer === undefined ? null : <Answer account={viewer.address} request={request} />}
          </div>
        </Whose>
      </div>
    </>
  )
}
