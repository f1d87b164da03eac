import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { connection } from 'next/server'
import { cache } from 'react'
import { counted, shortHex } from '#lib/browser/format.ts'
import { bareAddress, checksumAddress, parseAddress } from '#lib/protocol/address.ts'
import { type Address, ENTITY_KINDS, type EntityKind } from '#lib/protocol/entity.ts'
import { kindsName, kindsWord, kindWord } from '#lib/protocol/kind-name.ts'
import { Avatar } from '#lib/ui/components/avatar.tsx'
import { Command } from '#lib/ui/components/command.tsx'
import { ownerHref } from '#lib/ui/components/entity-href.ts'
import { measure } from '#lib/ui/components/measure.ts'
import { Unreadable } from '#lib/ui/components/notice.tsx'
import { PageTitle } from '#lib/ui/components/page-head.tsx'
import { PageLinks } from '#lib/ui/components/page-links.tsx'
import { Part } from '#lib/ui/components/part.tsx'
import { exactTime } from '#lib/ui/components/time.ts'
import { ButtonLink } from '#lib/ui/kit/button.tsx'
import { CopyButton } from '#lib/ui/kit/copy-button.tsx'
import { HitList, HitTiles } from '#lib/ui/lists/hit-list.tsx'
import { viewEntity, viewWorld } from '#lib/ui/lists/hit-view.ts'
import { FollowBar } from '#lib/ui/people/follow-bar.tsx'
import { ReportForm } from '#lib/ui/piece/report-form.tsx'
import { sharedPage } from '#lib/views/page-metadata.ts'
import { readForPage, readViewer } from '#lib/views/read.ts'
import { type UserView, userView } from '#lib/views/user.ts'

interface Props {
  params: Promise<{ address: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** One read for metadata and page. */
const readUser = cache(async (address: Address, query: string) => {
  const params = JSON.parse(query) as Record<string, string | string[]>
  const text = (name: string) => (typeof params[name] === 'string' ? params[name] : undefined)
  const after = Object.fromEntries(
    ENTITY_KINDS.flatMap((kind) => (text(kind) === undefined ? [] : [[kind, text(kind) ?? '']])),
  )
  const before = text('before')
  const viewer = (await readViewer())?.address
  const reading = await readForPage('an account', (ctx) => userView(ctx, { address, viewer, after, before }))
  return { reading, viewer, after, before }
})

export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  const { address: text } = await params
  const address = parseAddress(text)
  const read = address === undefined ? undefined : await readUser(address, JSON.stringify(await searchParams))
  const name = read?.reading.ok ? read.reading.value.profile?.name : undefined
  const short = `0x${shortHex(text)}`
  return sharedPage({
    // Names are not unique: the address tells whose page it is.
    title: name === undefined ? short : `${name}, ${short}`,
    description: `What ${name ?? short} makes and publishes.`,
    href: `/users/${text}`,
    picture: { kind: 'user', name: text },
  })
}

export default async function UserPage({ params, searchParams }: Props) {
  await connection()
  const address = parseAddress((await params).address)
  if (address === undefined) notFound()
  const { reading, viewer, after, before } = await readUser(address, JSON.stringify(await searchParams))
  if (!reading.ok) return <Unreadable title={`0x${shortHex(address)}`} code again={ownerHref(address)} />
  const view = reading.value
  const shownKinds = ENTITY_KINDS.filter((kind) => view.holds[kind].keys.length > 0)
  const nothing = ENTITY_KINDS.every((kind) => view.holds[kind].keys.length === 0) && view.worlds.length === 0
  return (
    <>
      <ProfileHead address={address} viewer={viewer} view={view} />
      <div
        className={`${measure} mt-12 grid gap-x-14 gap-y-14 lg:grid-cols-[minmax(0,1fr)_24rem] lg:items-start`}
      >
        <div className="min-w-0 space-y-14">
          {nothing && Object.keys(after).length === 0 ? (
            <p className="text-ink-soft">This account holds nothing here, neither published nor drafted.</p>
          ) : (
            <>
              <EntityList view={view} address={address} kind="connector" of="pieces" />
              {view.worlds.length === 0 ? null : (
                <Part title="Worlds">
                  <HitTiles
                    hits={view.worlds.map(({ owner, manifest }) => ({
                      ...viewWorld({ slug: manifest.slug, owner, title: manifest.name }),
                      detail: '',
                    }))}
                  />
                </Part>
              )}
              {shownKinds.map((kind) => (
                <EntityList key={kind} view={view} address={address} kind={kind} of="parts" />
              ))}
            </>
          )}
          <Part title="By program">
            <div className="flex max-w-3xl">
              <Command>{`curl -s '${view.origin}/chain/account/${bareAddress(address)}?limit=100'`}</Command>
            </div>
          </Part>
        </div>
        <aside aria-label="Activity" className="min-w-0 space-y-14">
          <Activity view={view} href={ownerHref(address)} continued={before !== undefined} />
          {view.profile === undefined || viewer === address ? null : (
            <ReportForm kind="profile" name={address} what="this profile" />
          )}
        </aside>
      </div>
    </>
  )
}

/** Entities of one kind of an account: of connectors either the pieces, which have a title, or the parts. */
function EntityList({
  view,
  address,
  kind,
  of,
}: {
  view: UserView
  address: Address
  kind: EntityKind
  of: 'pieces' | 'parts'
}) {
  const { keys, nextAfter } = view.holds[kind]
  const titleOf = (name: string) => view.titleOf({ kind, name })
  const names = keys.filter((name) => (titleOf(name) !== undefined) === (of === 'pieces'))
  // The end of the list of connectors is that of the parts, which are below.
  const more = of === 'parts' ? nextAfter : null
  if (names.length === 0 && more === null) return null
  return (
    <Part title={of === 'pieces' ? 'Pieces' : kind === 'connector' ? 'Parts of pieces' : kindsName(kind)}>
      <HitTiles
        hits={names.map((name) => ({
          ...viewEntity({ kind, name, owner: address, title: titleOf(name) }),
          detail: titleOf(name) === undefined ? '' : name,
        }))}
      />
      <More kind={kind} next={more} href={ownerHref(address)} />
    </Part>
  )
}

function Activity({ view, href, continued }: { view: UserView; href: string; continued: boolean }) {
  const { items, nextBefore } = view.activity
  return (
    <Part title="Activity">
      {items.length === 0 ? (
        <p className="border-line border-t py-3 text-ink-soft text-sm">
          {continued ? 'No more of it.' : 'Nothing published yet.'}
        </p>
      ) : (
        <HitList
          hits={items.map((item) => ({
            ...viewEntity({ ...item, title: view.titleOf(item) }, {}),
            detail: `published in block ${item.blockNumber}`,
            atMs: item.createdAtMs,
          }))}
          kinds
          nowMs={view.nowMs}
        />
      )}
      <PageLinks
        of="the activity"
        back={continued && ['Newest', href]}
        next={nextBefore !== null && ['Older', `${href}?before=${encodeURIComponent(nextBefore)}`]}
      />
    </Part>
  )
}

function More({ kind, next, href }: { kind: EntityKind; next: string | null; href: string }) {
  if (next === null) return null
  return (
    <ButtonLink className="mt-4" rel="next" href={`${href}?${kind}=${encodeURIComponent(next)}`}>
      More {kindsWord(kind)}
    </ButtonLink>
  )
}

/** Name, profile and follow counts of an account. */
function ProfileHead({
  address,
  viewer,
  view,
}: {
  address: Address
  viewer: Address | undefined
  view: UserView
}) {
  const { profile, standing, published } = view
  const counts = ENTITY_KINDS.filter((kind) => published[kind] > 0).map((kind) =>
    counted(published[kind], kindWord(kind)),
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
              <p className="text-xs sm:text-sm">
                <code className="[overflow-wrap:anywhere]">{checksumAddress(address)}</code>
                <CopyButton text={checksumAddress(address)} what="address" />
              </p>
              <p className="mt-1 text-sm">
                {counts.length === 0 ? 'Nothing published yet.' : `${counts.join(', ')} published.`}{' '}
                {profile === undefined
                  ? 'Nobody has signed in with this address here.'
                  : `Here since ${exactTime(profile.since.getTime()).slice(0, 10)}.`}
              </p>
            </>
          }
        />
        <FollowBar
          // State is per viewer.
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
