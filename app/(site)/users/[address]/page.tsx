import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { connection } from 'next/server'
import { bareAddress, checksumAddress, parseAddress } from '../../../../lib/domain/address.ts'
import { ENTITY_KINDS, type EntityKind } from '../../../../lib/domain/entity.ts'
import { readForPage } from '../../../../lib/site-data/read.ts'
import { userView } from '../../../../lib/site-data/user.ts'
import { ButtonLink } from '../../../../lib/ui/button.tsx'
import { Command } from '../../../../lib/ui/command.tsx'
import { CopyButton } from '../../../../lib/ui/copy-button.tsx'
import { entityHref, ownerHref } from '../../../../lib/ui/entity-href.ts'
import { shortHex } from '../../../../lib/ui/format.ts'
import { NameList } from '../../../../lib/ui/name-list.tsx'
import { PageHead } from '../../../../lib/ui/page-head.tsx'
import { measure } from '../../../../lib/ui/site-frame.tsx'
import { Unreadable } from '../../../../lib/ui/unreadable.tsx'
import { Part } from '../../_entity/entity-page.tsx'

interface Props {
  params: Promise<{ address: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { address } = await params
  return { title: `0x${shortHex(address)}`, description: 'What an account holds on the network.' }
}

export default async function UserPage({ params, searchParams }: Props) {
  await connection()
  const { address: text } = await params
  const address = parseAddress(text)
  if (address === undefined) notFound()
  const query = await searchParams
  const after = Object.fromEntries(
    ENTITY_KINDS.flatMap((kind) => {
      const value = query[kind]
      return typeof value === 'string' ? [[kind, value]] : []
    }),
  )
  const reading = await readForPage('an account', (ctx) => userView(ctx, address, after))
  const title = `0x${shortHex(address)}`
  if (!reading.ok || reading.value === undefined) {
    return (
      <>
        <PageHead title={title} code />
        <Unreadable again={ownerHref(address)} />
      </>
    )
  }
  const { holds, profile, origin } = reading.value
  const nothing = ENTITY_KINDS.every((kind) => holds[kind].keys.length === 0)
  return (
    <>
      <PageHead
        eyebrow="Account"
        title={profile?.name ?? title}
        code={profile?.name === undefined}
        lead={
          <>
            {profile?.bio ? <p className="mb-3 whitespace-pre-line">{profile.bio}</p> : null}
            <p className="text-sm">
              <code className="[overflow-wrap:anywhere]">{checksumAddress(address)}</code>
              <CopyButton text={checksumAddress(address)} what="address" />
            </p>
          </>
        }
      />
      <div className={`${measure} mt-10 space-y-14`}>
        {nothing && Object.keys(after).length === 0 ? (
          <p className="text-ink-soft">This account holds nothing here, neither published nor drafted.</p>
        ) : (
          ENTITY_KINDS.map((kind) => (
            <Part key={kind} title={`${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}s`}>
              <NameList
                empty="None."
                entries={holds[kind].keys.map((name) => ({ name, href: entityHref(kind, name) }))}
              />
              <More kind={kind} next={holds[kind].nextAfter} href={ownerHref(address)} />
            </Part>
          ))
        )}
        <Part title="By program">
          <div className="flex max-w-3xl">
            <Command>{`curl -s '${origin}/chain/account/${bareAddress(address)}?limit=100'`}</Command>
          </div>
        </Part>
      </div>
    </>
  )
}

function More({ kind, next, href }: { kind: EntityKind; next: string | null; href: string }) {
  if (next === null) return null
  return (
    <ButtonLink className="mt-4" rel="next" href={`${href}?${kind}=${encodeURIComponent(next)}`}>
      More {kind}s
    </ButtonLink>
  )
}
