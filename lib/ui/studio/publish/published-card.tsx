'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { shortHex } from '#lib/browser/format.ts'
import { TakeAway } from '#lib/features/piece-file/ui/index.ts'
import { connectorEmbedHref } from '#lib/protocol/embed.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { type Entry, tabKey } from '#lib/studio/document/types.ts'
import { sendStill } from '#lib/studio/library/stills.ts'
import { CopyLink } from '#lib/ui/components/copy-link.tsx'
import { EmbedCode } from '#lib/ui/components/embed-code.tsx'
import { entityHref } from '#lib/ui/components/entity-href.ts'
import { useAction } from '#lib/ui/components/use-action.ts'
import { Button, ButtonLink } from '#lib/ui/kit/button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { AskNickname } from '#lib/ui/people/ask-nickname.tsx'
import { useCurrentSession, useSound } from '../common/session.tsx'
import { useTransport } from '../transport/use-transport.ts'
import type { AccountPlan } from './plan.ts'
import { PlanList } from './plan-list.tsx'
import { keeperText } from './publish-foot.tsx'
import { shownErrorMessage, showPiece } from './shown-requests.ts'
import type { Publication } from './use-publication.ts'

/** An entry that is published: its picture, and the ways to send it to others. Another account may have published it. */
export function PublishedCard({
  root,
  plan,
  account,
  publication,
}: {
  root: Entry
  plan: AccountPlan
  account: Address | undefined
  publication: Publication
}) {
  const { announce } = useCurrentSession()
  const { publishing, piece, wallet } = publication
  // The own source, whatever else sounds meanwhile.
  const { transport } = useSound()
  useTransport()
  const own = transport.own()
  const justNow = publishing.progress.size > 0
  const [isOpen, setOpen] = useState(!justNow)
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!justNow) return
    top.current?.closest('section')?.scrollIntoView({ block: 'start' })
    // Messages of the way here are over.
    announce('')
  }, [justNow, announce])
  const publishedBy = publication.own?.standing
  const owner = publishedBy?.state === 'published' ? publishedBy.owner : undefined
  const isOwn = owner === account && account !== undefined
  const href = entityHref(root.kind, root.name)
  const title = piece.piece?.title ?? root.name
  const origin = wallet.state?.network.site_origin
  return (
    <div ref={top} className="space-y-5 pb-6">
      {piece.piece === undefined ? null : piece.cover(isOpen && isOwn)}
      <div>
        <p role="status" className="font-semibold text-3xl tracking-tight">
          {owner === undefined || isOwn || account === undefined ? 'It is out' : 'It is out already'}
        </p>
        <p className="mt-1 text-lg [overflow-wrap:anywhere]">
          {title}
          {owner === undefined || isOwn || account === undefined
            ? ''
            : `: 0x${shortHex(owner)} published it exactly as it is here`}
        </p>
        <p className="mt-1 max-w-prose text-ink-soft text-sm">
          {piece.piece === undefined
            ? 'Anyone can build with it from now on.'
            : 'It plays the same for everyone from now on.'}{' '}
          It is on {keeperText(wallet.state?.network)}.
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <ButtonLink look="filled" href={href}>
          See its page
        </ButtonLink>
        <CopyLink href={href} origin={origin} />
        <SystemShare href={href} title={title} />
      </div>
      {root.kind !== 'connector' || piece.piece === undefined ? null : (
        <div className="border-line border-t pt-2">
          {origin === undefined ? null : (
            <EmbedCode
              page={origin + href}
              image={`${origin}/pictures/connector/${root.name}.png`}
              player={origin + connectorEmbedHref(root.name)}
              title={title}
            />
          )}
          <TakeAway
            name={root.name}
            run={own?.key === tabKey({ kind: 'entry', entryId: root.id }) ? own : undefined}
          />
        </div>
      )}
      {isOwn ? <AskNickname account={account} /> : null}
      {isOwn ? <PublishedPiece {...{ root, publication, isOpen }} onOpen={() => setOpen(true)} /> : null}
      <details className="border-line border-t text-sm">
        <summary className="min-h-11 cursor-pointer py-2.5 font-medium">What was published</summary>
        <PlanList
          plan={plan}
          publishing={publishing}
          explorer={wallet.state?.network.chain?.explorer_url ?? undefined}
        />
        <p>
          <a className={`${textLink} inline-block py-2`} href={`${href}#proof`}>
            Its address, block and transaction
          </a>
        </p>
      </details>
    </div>
  )
}

/** The share sheet of the device, where there is one. */
function SystemShare({ href, title }: { href: string; title: string }): ReactNode {
  const [can, setCan] = useState(false)
  useEffect(() => setCan(typeof navigator.share === 'function'), [])
  if (!can) return null
  const share = () =>
    navigator.share({ title, url: new URL(href, window.location.origin).href }).catch(() => {
      // The sheet was closed.
    })
  return <Button onClick={() => void share()}>Share</Button>
}

/**
 * Shows a published piece on this site as the studio has it.
 *
 * @param isOpen Whether its form is open.
 */
function PublishedPiece({
  root,
  publication: {
    piece: { shown, title, choices },
  },
  isOpen,
  onOpen,
}: {
  root: Entry
  publication: Publication
  isOpen: boolean
  onOpen: () => void
}) {
  const { stills, library } = useCurrentSession()
  const { refresh } = library
  const { busy, message, act } = useAction(shownErrorMessage)
  const { piece, still, isStillDeclined } = shown
  if (piece === undefined) return null
  if (!isOpen) return <Button onClick={onOpen}>Change how it is shown</Button>
  const save = async () => {
    const { name } = piece
    await showPiece(name, piece)
    if (still !== undefined) await sendStill(name, still)
    else if (isStillDeclined) await stills.remove(name)
    refresh(root.kind, name)
    return 'This site shows it like this now.'
  }
  return (
    <section aria-labelledby="how-it-is-shown" className="space-y-3 border-line border-t pt-4">
      <h3 id="how-it-is-shown" className="font-semibold">
        Change how it is shown
      </h3>
      <fieldset disabled={busy} className="space-y-3">
        <legend className="sr-only">How others meet it</legend>
        {title}
        {choices}
        <p className="max-w-prose text-ink-soft text-sm">
          What is published stays as it is, one press away, and so does its file.
        </p>
      </fieldset>
      <div className="flex flex-wrap items-center gap-3">
        <Button aria-disabled={busy} onClick={() => void act(save)}>
          Show it like this
        </Button>
        <p role="status" className="min-w-0 text-sm">
          {message}
        </p>
      </div>
    </section>
  )
}
