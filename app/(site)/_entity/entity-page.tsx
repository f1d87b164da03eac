import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import { MAX_COUNTED } from '#lib/core/entities/remixes.ts'
import type { EntityKind, Hash } from '#lib/protocol/entity.ts'
import { kindName, kindWord } from '#lib/protocol/kind-name.ts'
import { type DeepLink, studioHref } from '#lib/studio/keep/deep-link.ts'
import { CopyLink } from '#lib/ui/components/copy-link.tsx'
import { EmbedCode } from '#lib/ui/components/embed-code.tsx'
import { entityHref } from '#lib/ui/components/entity-href.ts'
import { KindMark } from '#lib/ui/components/kind-mark.tsx'
import { measure } from '#lib/ui/components/measure.ts'
import { Notice } from '#lib/ui/components/notice.tsx'
import { Part } from '#lib/ui/components/part.tsx'
import { hasRemixes, RemixTree } from '#lib/ui/entity/remix-tree.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { LikeAndSave } from '#lib/ui/people/mark-button.tsx'
import { ReportForm } from '#lib/ui/piece/report-form.tsx'
import { Stage } from '#lib/ui/piece/stage.tsx'
import { RemixLink } from '#lib/ui/studio/live/remix-link.tsx'
import { StageOfferProvider } from '#lib/ui/studio/live/stage-offer.tsx'
import type { EntityView } from '#lib/views/entity.ts'
import { ByProgram } from './by-program.tsx'
import { OnChain } from './on-chain.tsx'
import { Relatives } from './relatives.tsx'
import { Users } from './users.tsx'

/** The page of an entity: the piece, its definition, related entities, its proof. */
export function EntityPage({
  kind,
  name,
  view,
  stage,
  lead,
  remix,
  knobs = false,
  links,
  player,
  formatHash,
  codeBytes,
  children,
}: {
  kind: EntityKind
  name: string
  view: EntityView<EntityKind>
  /** The piece itself; null where it does not run. */
  stage: ReactNode
  lead: ReactNode
  /** Label and target of its first button. */
  remix: { readonly label: string; readonly action: DeepLink['action'] }
  /** Whether its link keeps how the knobs are turned. */
  knobs?: boolean
  /** Further ways on. */
  links?: ReactNode
  /** Absolute address of its player, where it plays. */
  player?: string | undefined
  /** Format of a connector. */
  formatHash?: Hash | undefined
  /** Size of a body. */
  codeBytes?: number | undefined
  /** Contents of the entity. */
  children: ReactNode
}) {
  const { entity, publication, owner, origin, related, remixes } = view
  const word = kindName(kind)
  const draft = publication === undefined
  const href = entityHref(kind, name)
  const actions = (
    <>
      <RemixLink href={studioHref(remix.action, kind, name)}>{remix.label}</RemixLink>
      {/* A row as wide as the button above it. */}
      <div className="flex flex-wrap items-start gap-3 [&>*]:flex-1 [&_button]:min-h-11 [&_button]:w-full [&_button]:min-w-max">
        {draft ? null : <LikeAndSave kind={kind} name={name} likes={view.counts.likes} />}
        <CopyLink href={href} origin={origin} knobs={knobs} />
      </div>
      {links}
      <EmbedCode
        page={origin + href}
        image={`${origin}/pictures/${kind}/${encodeURIComponent(name)}.png`}
        player={player}
        title={view.words?.title ?? name}
      />
    </>
  )
  return (
    <StageOfferProvider>
      <Stage
        name={name}
        title={view.words?.title}
        eyebrow={
          kind === 'connector' && !draft ? null : (
            <>
              <KindMark kind={kind} />
              {draft ? `${word}, a draft` : word}
            </>
          )
        }
        author={{ address: owner, name: view.ownerName }}
        lead={lead}
        actions={entity === undefined ? null : actions}
      >
        {stage}
      </Stage>
      {draft ? (
        <div className={`${measure} mt-8`}>
          <Notice title="Not on chain yet">
            <p>
              This is a draft: it can be played here, its owner may still change it, and other servers do not
              know it. If you came for something published, a reorganisation may have removed it: the{' '}
              <a className={textLink} href="/feed?status=removed">
                feed lists what was removed
              </a>
              .
            </p>
          </Notice>
        </div>
      ) : null}
      <div
        className={`${measure} mt-12 grid gap-x-14 gap-y-14 lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-start`}
      >
        <div className="min-w-0 space-y-14">
          {entity === undefined ? (
            <Notice title="Not verified">
              <p>
                The chain says that this {kindWord(kind)} exists, but what was published with it does not give
                its content hash, so this server does not say what it is.
              </p>
            </Notice>
          ) : null}
          {children}
          {hasRemixes(remixes) ? (
            <Part id="remixes" title="Remixes">
              <RemixTree remixes={remixes} mostCounted={MAX_COUNTED} />
            </Part>
          ) : null}
          <Users kind={kind} name={name} draft={draft} page={view.users} names={view.userNames} />
        </div>
        <aside aria-label="Near it" className="min-w-0">
          <Relatives owner={owner} formatHash={formatHash} related={related} />
        </aside>
      </div>
      <div className={`${measure} mt-14`}>
        <details className="border-ink border-t-2">
          <summary className="min-h-11 cursor-pointer py-3 font-semibold text-base">
            {draft ? 'Not on chain: owner and requests' : 'Proof: address, hashes and requests'}
          </summary>
          {/* A fragment opens what stands inside of a fold. */}
          <div id="proof" className="grid gap-x-14 gap-y-10 pb-4 lg:grid-cols-2 [&>*]:min-w-0">
            <OnChain {...view} kind={kind} name={name} formatHash={formatHash} codeBytes={codeBytes} />
            <ByProgram api={`${origin}/chain`} kind={kind} name={name} />
          </div>
        </details>
        {draft ? null : <ReportForm kind={kind} name={name} what={`this ${kindWord(kind)}`} />}
      </div>
    </StageOfferProvider>
  )
}

/** Decodes the name in a page's address; invalid encoding is a 404. */
export async function readName(params: Promise<{ readonly name: string }>): Promise<string> {
  const { name } = await params
  try {
    return decodeURIComponent(name)
  } catch {
    notFound()
  }
}
