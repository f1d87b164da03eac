'use client'

import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { WorldMessage } from '#lib/core/worlds/sdk/host.ts'
import { MESSAGE } from '#lib/core/worlds/sdk/protocol.ts'
import { connectorEmbedHref, runEmbedHref } from '#lib/protocol/embed.ts'
import { MAX_LINK_LENGTH, worldPageHref } from '#lib/protocol/run-link.ts'
import type { WorldNeeds } from '#lib/protocol/world-compatibility.ts'
import { studioHref } from '#lib/studio/keep/deep-link.ts'
import { CopyLink } from '#lib/ui/components/copy-link.tsx'
import { EmbedCode } from '#lib/ui/components/embed-code.tsx'
import { Part } from '#lib/ui/components/part.tsx'
import { ButtonLink } from '#lib/ui/kit/button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { LikeAndSave } from '#lib/ui/people/mark-button.tsx'
import { reportPlay } from '#lib/ui/people/requests.ts'
import { SeeItAs } from '#lib/ui/piece/see-it-as.tsx'
import type { OfferedChoice } from '#lib/ui/world/feed/connector-choice.tsx'
import { FeedControls } from '#lib/ui/world/feed/feed-controls.tsx'
import { useFit } from '#lib/ui/world/feed/fetch-starts.ts'
import { FitBadge } from '#lib/ui/world/feed/fit-badge.tsx'
import { type Delivered, type Feed, useFeed } from '#lib/ui/world/feed/use-feed.ts'
import type { CaptureOffer } from '#lib/ui/world/use-capture.ts'
import { WorldFrame } from '#lib/ui/world/world-frame.tsx'
import { UseAsPreview } from '#lib/ui/world-editor/owner/use-as-preview.tsx'
import { WorldChoice } from '#lib/ui/world-gallery/world-choice.tsx'
import type { FramedWorld } from '#lib/views/framed-world.ts'
import type { DrawingWorld, LinkedWorld } from '#lib/views/world.ts'

// The frame and its buttons stand in the first window, whatever its height.
const SHAPE = 'aspect-square lg:aspect-auto lg:h-[clamp(20rem,calc(100dvh-14rem),46rem)]'
const HALF = 'aspect-square lg:aspect-[3/4]'

/** A World with the controls of its feed; the address follows the choices. */
export function WorldBoard({
  slug,
  id,
  owner,
  likes,
  world,
  needs,
  delivered,
  choices,
  worlds,
  beside,
  origin,
  below,
  children,
}: {
  slug: string
  id: string
  owner: string
  likes: number
  world: FramedWorld
  needs: WorldNeeds
  delivered: Delivered
  choices: readonly OfferedChoice[]
  /** Worlds in which the delivered connector can be seen. */
  worlds: readonly LinkedWorld[]
  /** Draws the same run beside it. */
  beside: DrawingWorld | undefined
  /** Origin of the site. */
  origin: string
  /** Under the frame. */
  below: ReactNode
  /** Under the controls. */
  children: ReactNode
}) {
  const limits = world.valueLimits
  const about = useMemo(() => ({ needs, limits }), [needs, limits])
  const feed = useFeed(delivered, about)
  const href = worldPageHref(slug, feed.request, beside?.slug, feed.slots)
  const addressRef = useRef(href)
  useEffect(() => {
    if (addressRef.current === href || href.length > MAX_LINK_LENGTH) return
    addressRef.current = href
    window.history.replaceState(null, '', href)
  }, [href])
  const [offer, setOffer] = useState<CaptureOffer>()
  const played = useRef(false)
  const onMessage = useCallback(
    ({ from, type }: WorldMessage) => {
      if (played.current || from !== 'world' || type !== MESSAGE.ready) return
      played.current = true
      reportPlay({ kind: 'world', name: id })
    },
    [id],
  )
  const isTooLong = href.length > MAX_LINK_LENGTH
  return (
    <div className="grid gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_23rem] lg:grid-rows-[auto_1fr] lg:items-start">
      <div className="min-w-0">
        {beside ? (
          <div className="grid gap-4 sm:grid-cols-2">
            <section aria-label={world.name} className="min-w-0">
              <WorldFrame world={world} payload={feed.payload} shape={HALF} onMessage={onMessage} />
            </section>
            <BesideFrame slug={slug} beside={beside} feed={feed} shape={HALF} />
          </div>
        ) : (
          <WorldFrame
            world={world}
            payload={feed.payload}
            shape={SHAPE}
            onMessage={onMessage}
            onOffer={setOffer}
          >
            <UseAsPreview worldId={id} owner={owner} offer={offer} />
          </WorldFrame>
        )}
        {feed.request.connector === delivered.connector ? (
          <SeeItAs name={delivered.connector} worlds={worlds} />
        ) : null}
        <div className="mt-3">
          <WorldChoice
            title="Another World beside it"
            label="Worlds to put beside it"
            hrefOf={(other) => worldPageHref(slug, feed.request, other, feed.slots)}
            leftOut={[slug, beside?.slug]}
          />
        </div>
      </div>
      <aside
        aria-label="What feeds it"
        className="min-w-0 space-y-10 lg:col-start-2 lg:row-span-2 lg:row-start-1"
      >
        <Part id="fed" title="It plays">
          <FeedControls
            feed={feed}
            choices={choices}
            limits={limits}
            hrefOf={(connector) =>
              worldPageHref(
                slug,
                { connector, count: feed.request.count, dynamicRi: [] },
                beside?.slug,
                feed.slots,
              )
            }
          />
          <div className="mt-6 flex flex-wrap items-center gap-2">
            <ButtonLink look="filled" className="w-full" href={`${worldPageHref(slug)}/source?remix`}>
              Remix this World
            </ButtonLink>
            <LikeAndSave kind="world" name={id} likes={likes} />
            {isTooLong ? (
              <p className="text-sm">Too many overrides to fit in a link.</p>
            ) : (
              <CopyLink href={href} />
            )}
            <a
              className={`${textLink} py-3 text-sm`}
              href={studioHref('open', 'connector', feed.request.connector)}
            >
              Remix the piece
            </a>
          </div>
          <div className="mt-3">
            <EmbedCode
              page={origin + worldPageHref(slug)}
              image={`${origin}/pictures/world/${encodeURIComponent(slug)}.png`}
              player={feed.payload ? origin + playerHref(feed.request) : undefined}
              playing="It plays what feeds the World; Worlds themselves run on this site alone."
              title={world.name}
            />
          </div>
        </Part>
      </aside>
      <div className="min-w-0 space-y-10 lg:col-start-1 lg:row-start-2">
        {below}
        <div className="grid gap-x-12 gap-y-10 md:grid-cols-2 md:items-start [&>*]:min-w-0">{children}</div>
      </div>
    </div>
  )
}

/** Address of the player of what feeds the World. */
function playerHref({ connector, count, dynamicRi }: Feed['request']): string {
  return dynamicRi.length === 0
    ? connectorEmbedHref(connector)
    : runEmbedHref({ connector, count, dynamicRi })
}

/** Another World that draws the same run, with its fit. */
function BesideFrame({
  slug,
  beside,
  feed,
  shape,
}: {
  /** Slug of the World whose page this is. */
  slug: string
  beside: DrawingWorld
  feed: Feed
  shape: string
}) {
  const { framed, needs } = beside
  const fit = useFit(needs, feed.request.connector)?.fit
  return (
    <section aria-label={`Beside it: ${framed.name}`} className="min-w-0">
      <WorldFrame world={framed} payload={feed.alone} shape={shape} />
      <div className="mt-1 flex flex-wrap items-baseline gap-x-4 gap-y-1 text-sm">
        <a className={`${textLink} font-medium`} href={worldPageHref(beside.slug, feed.request)}>
          {framed.name}
        </a>
        {fit ? <FitBadge fit={fit.fit} /> : null}
        <a className={textLink} href={worldPageHref(slug, feed.request, undefined, feed.slots)}>
          Take it away
        </a>
      </div>
      {fit ? <p className="mt-1 text-ink-soft text-sm">{fit.reason}</p> : null}
    </section>
  )
}
