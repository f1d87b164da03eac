'use client'

import { type ReactNode, useMemo, useState } from 'react'
import { counted } from '#lib/browser/format.ts'
import { isEntityName } from '#lib/protocol/names.ts'
import { MAX_TITLE_LENGTH, type Presentation } from '#lib/protocol/presentation.ts'
import { worldsOf } from '#lib/studio/document/attached-worlds.ts'
import { type ConnectorEntry, type Entry, type StudioDocument, tabKey } from '#lib/studio/document/types.ts'
import { isPiece, presentationOf, titleOf, withKnobsOutside } from '#lib/studio/piece/presentation-of.ts'
import type { GoodRun } from '#lib/studio/runs/run.ts'
import type { PublicationDraft } from '#lib/studio/session.ts'
import { Button, TextButton } from '#lib/ui/kit/button.tsx'
import { Check } from '#lib/ui/kit/choice.tsx'
import { TextField } from '#lib/ui/kit/field.tsx'
import { StillPlots } from '#lib/ui/plots/svg.tsx'
import { TilePicture } from '#lib/ui/world-gallery/tile-picture.tsx'
import { useSession } from '../common/session.tsx'
import { LiveWorld } from '../worlds/live-world.tsx'
import { usePluginWorld } from '../worlds/plugin-worlds.ts'
import { useDrawnRun } from '../worlds/use-worlds-of.ts'
import { type Still, useStill } from './use-still.ts'
import type { PieceWords } from './words.ts'

interface ShownPiece {
  readonly piece: PieceWords | undefined
  /** Picture of the piece; undefined without one, and for a part. */
  readonly still: Blob | undefined
  /** Whether the author wants no picture of it, nor one that is stored already. */
  readonly isStillDeclined: boolean
}

interface PieceForm extends ShownPiece {
  /** Why it cannot be published yet: without its World a piece would be another. Undefined where it can. */
  readonly waiting: ReactNode
  /** The same of what is published, which is never a part again. */
  readonly shown: ShownPiece
  /**
   * The piece as others will see it; a sentence for a part.
   *
   * @param isOpen Whether another moment of it can be taken.
   */
  readonly cover: (isOpen: boolean) => ReactNode
  /** The field of its title. */
  readonly title: ReactNode
  /** Whether it is a piece, whether it has a picture, and what its sound and knobs are. */
  readonly choices: ReactNode
}

/** Form for the publication of a connector: as a piece with its title, World, sound and knobs, or as a part of others. */
export function usePieceForm(
  document: StudioDocument,
  root: Entry,
  draft: PublicationDraft,
  change: (next: PublicationDraft) => void,
): PieceForm {
  const library = useSession((state) => state.library)
  const connector = root.kind === 'connector' ? root : undefined
  const attached = worldsOf(document, tabKey({ kind: 'entry', entryId: root.id }))[0]
  const { data: plugin, isError, refetch } = usePluginWorld(connector && attached?.world)
  const published = isEntityName(root.name) ? library.find(root.kind, root.name) : 'absent'
  const titled = typeof published === 'object' && published.kind === 'connector' ? published.piece : undefined
  const title = draft.title ?? titled?.title ?? titleOf(root.name)
  const [isOne] = useState(
    () => connector !== undefined && isPiece(document, connector, attached !== undefined),
  )
  const asPiece = draft.isPiece ?? isOne
  const setAsPiece = (isPiece: boolean) => change({ isPiece })
  const still = useStill(draft.hasPicture ?? true, (hasPicture) => change({ hasPicture }))
  const present = useMemo(() => {
    if (connector === undefined) return undefined
    const { slots } = attached ?? {}
    const world = plugin && {
      bundle_hash: plugin.bundleHash,
      slug: plugin.tile.slug,
      ...(slots && slots.length > 0 && { slots }),
    }
    const inStudio = presentationOf(document, connector, world ?? undefined)
    return withKnobsOutside(document, connector, inStudio, titled?.present)
  }, [document, connector, plugin, attached, titled])
  const shown = useMemo(
    () => (present ? { name: root.name, title, present } : undefined),
    [present, root.name, title],
  )
  const isShown = asPiece && connector !== undefined && present !== undefined
  // Without a World there is no choice.
  const isStillDeclined = Boolean(plugin) && !still.isIncluded
  const isWorldKnown = attached === undefined || plugin !== undefined
  return {
    piece: asPiece ? shown : undefined,
    still: asPiece ? still.picture : undefined,
    isStillDeclined: connector !== undefined && (!asPiece || isStillDeclined),
    waiting:
      !asPiece || isWorldKnown ? undefined : isError ? (
        <>
          The World of this piece cannot be read now.{' '}
          <TextButton onClick={() => void refetch()}>Try again</TextButton>
        </>
      ) : (
        'Looking for the World of this piece…'
      ),
    shown: { piece: isWorldKnown ? shown : undefined, still: still.picture, isStillDeclined },
    cover: (isOpen) =>
      isShown ? (
        <Cover entry={connector} plugin={plugin ?? undefined} still={still} isOpen={isOpen} />
      ) : connector === undefined ? null : (
        <div className="text-sm">
          <Check checked={asPiece} onCheck={setAsPiece} className="min-h-11 font-medium">
            Publish it as a piece
          </Check>
          <p className="max-w-prose text-ink-soft">
            It is published as a part: others can build with it, and its sound and picture are guessed.
          </p>
        </div>
      ),
    title: isShown ? (
      <label className="block text-sm">
        <span className="font-medium">Title</span>
        <TextField
          value={title}
          maxLength={MAX_TITLE_LENGTH}
          placeholder={root.name}
          onText={(title) => change({ title })}
          className="mt-1 block font-semibold text-lg"
        />
      </label>
    ) : null,
    choices:
      connector === undefined || present === undefined ? null : (
        <div className="space-y-2 text-sm">
          {asPiece ? (
            <Check checked={asPiece} onCheck={setAsPiece} className="min-h-11 font-medium">
              Publish it as a piece
            </Check>
          ) : null}
          {asPiece && plugin ? (
            <>
              <Check checked={still.isIncluded} onCheck={still.setIncluded} className="min-h-11 font-medium">
                With a picture of it
              </Check>
              {still.isIncluded ? null : (
                <p className="text-ink-soft">Its picture is drawn from its numbers.</p>
              )}
            </>
          ) : null}
          {asPiece ? (
            <>
              <p>{presentationSentence(present, plugin?.tile.framed.name)}</p>
              <Knobs present={present} />
              <p className="max-w-prose text-ink-soft">
                Its page, embeds and remixes play it like this. Change the World, the sound, the length and
                the knobs in the studio.
              </p>
            </>
          ) : null}
        </div>
      ),
  }
}

/** Cover that others see before the World runs: the picture of a moment, over the World that it is taken of. */
function Cover({
  entry,
  plugin,
  still: { url, taking, problem, take, isIncluded, onOffer },
  isOpen,
}: {
  entry: ConnectorEntry
  plugin: ReturnType<typeof usePluginWorld>['data'] | undefined
  still: Still
  isOpen: boolean
}) {
  return (
    <div>
      <div className="relative flex aspect-[1200/630] min-w-0 overflow-hidden rounded-lg bg-sunk">
        <Stage entry={entry} plugin={plugin} onOffer={onOffer} />
        {isIncluded && url !== undefined ? (
          // biome-ignore lint/performance/noImgElement: a picture of this page
          <img src={url} alt="As others will see it" className="absolute inset-0 size-full object-cover" />
        ) : null}
        {take === undefined || !isIncluded || !isOpen ? null : (
          <Button
            size="small"
            className="absolute right-3 bottom-3 bg-raised"
            aria-disabled={taking}
            onClick={take}
          >
            {url === undefined ? 'Take a picture' : 'Take another moment'}
          </Button>
        )}
      </div>
      <p role="status" className="pt-1 text-ink-soft text-sm empty:hidden">
        {problem}
      </p>
    </div>
  )
}

function Stage({
  entry,
  plugin,
  onOffer,
}: {
  entry: ConnectorEntry
  plugin: ReturnType<typeof usePluginWorld>['data'] | undefined
  onOffer: Still['onOffer']
}) {
  const of = tabKey({ kind: 'entry', entryId: entry.id })
  const drawn = useDrawnRun(of)
  const run = useMemo((): GoodRun | undefined => {
    const streams = drawn?.executeOutput
    return (
      streams && {
        request: {
          connector_name: entry.name,
          connectors: [],
          bodies: [],
          particles_count: streams[0]?.data.length ?? 0,
        },
        streams,
      }
    )
  }, [drawn, entry.name])
  if (run === undefined && !plugin) return null
  const plots = run === undefined ? null : <StillPlots streams={run.streams} />
  if (plugin && run) return <LiveWorld of={of} world={plugin} run={run} plots={plots} onOffer={onOffer} />
  return plugin ? <TilePicture tile={plugin.tile} /> : plots
}

/** Sound and picture of a piece, in a sentence. */
function presentationSentence({ particles, tempo, loop }: Presentation, world: string | undefined): string {
  const drawing = world === undefined ? 'Drawn as lines' : `Drawn by ${world}`
  return `${drawing}, ${counted(particles, 'step')}, ${tempo} a minute${loop ? ', again and again' : ''}.`
}

function Knobs({ present: { knobs = [] } }: { present: Presentation }) {
  if (knobs.length === 0) return <p className="text-sm">Knobs: guessed, up to three.</p>
  return (
    <p className="text-sm">
      {knobs.length === 1 ? 'Knob' : 'Knobs'}:{' '}
      {knobs.map(({ name, at, min, max }, index) => (
        <span key={at}>
          {index > 0 ? ', ' : ''}
          <bdi className="[overflow-wrap:anywhere]">{name}</bdi> {min} to {max}
        </span>
      ))}
      .
    </p>
  )
}
