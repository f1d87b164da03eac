'use client'

import { type ReactNode, useMemo, useState } from 'react'
import { counted } from '#lib/browser/format.ts'
import { isEntityName } from '#lib/protocol/names.ts'
import { MAX_TITLE_LENGTH, type Presentation } from '#lib/protocol/presentation.ts'
import { worldsOf } from '#lib/studio/document/attached-worlds.ts'
import { type ConnectorEntry, type Entry, type StudioDocument, tabKey } from '#lib/studio/document/types.ts'
import { isPiece, presentationOf, titleOf, withKnobsOutside } from '#lib/studio/piece/presentation-of.ts'
import type { GoodRun } from '#lib/studio/runs/run.ts'
import { Button } from '#lib/ui/components/button.tsx'
import { textLink } from '#lib/ui/components/link-style.ts'
import { StillPlots } from '#lib/ui/components/still-plots.tsx'
import { TilePicture } from '#lib/ui/world-gallery/tile-picture.tsx'
import { useSession } from '../common/session.tsx'
import { LiveWorld } from '../worlds/live-world.tsx'
import { usePluginWorld } from '../worlds/plugin-worlds.ts'
import { useDrawnRun } from '../worlds/use-worlds-of.ts'
import { type Still, useStill } from './use-still.ts'
import type { PieceWords } from './words.ts'

export interface ShownPiece {
  readonly piece: PieceWords | undefined
  /** Picture of the piece; undefined without one, and for a part. */
  readonly still: Blob | undefined
  /** Whether the author wants no picture of it, nor one that is stored already. */
  readonly isStillDeclined: boolean
  /** Shows the piece as others will see it. */
  readonly form: (disabled: boolean) => ReactNode
}

interface PieceForm extends ShownPiece {
  /** Why it cannot be published yet: without its World a piece would be another. Undefined where it can. */
  readonly waiting: ReactNode
  /** The same of what is published, which is never a part again. */
  readonly shown: ShownPiece
}

/** How a connector is published: as a piece with its title, World, sound and knobs, or as a part of others. */
export function usePieceForm(document: StudioDocument, root: Entry): PieceForm {
  const library = useSession((state) => state.library)
  const connector = root.kind === 'connector' ? root : undefined
  const attached = worldsOf(document, tabKey({ kind: 'entry', entryId: root.id }))[0]
  const { data: plugin, isError, refetch } = usePluginWorld(connector && attached?.world)
  const published = isEntityName(root.name) ? library.find(root.kind, root.name) : 'absent'
  const titled = typeof published === 'object' && published.kind === 'connector' ? published.piece : undefined
  const [typed, setTitle] = useState<string>()
  const title = typed ?? titled?.title ?? titleOf(root.name)
  const [wanted, setWanted] = useState(
    () => connector !== undefined && isPiece(document, connector, attached !== undefined),
  )
  const still = useStill()
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
  const fields = (whatFor: string) =>
    connector === undefined || present === undefined ? null : (
      <div className="flex flex-col gap-4 rounded-lg border border-line p-3 sm:flex-row">
        <div className="min-w-0 sm:w-56 sm:shrink-0">
          <Stage entry={connector} plugin={plugin ?? undefined} onOffer={still.onOffer} />
          {plugin ? <StillField still={still} /> : null}
        </div>
        <div className="min-w-0 flex-1 space-y-2">
          <label className="block text-sm">
            <span className="font-medium">Title</span>
            <input
              value={title}
              maxLength={MAX_TITLE_LENGTH}
              placeholder={root.name}
              onChange={(event) => setTitle(event.currentTarget.value)}
              className="mt-1 block min-h-11 w-full rounded-md border border-edge bg-raised px-3 font-semibold text-lg"
            />
          </label>
          <p className="text-sm">{heard(present, plugin?.tile.framed.name)}</p>
          <Knobs present={present} />
          <p className="text-ink-soft text-sm">{whatFor}</p>
        </div>
      </div>
    )
  const form = (disabled: boolean) =>
    connector === undefined || present === undefined ? null : (
      <fieldset disabled={disabled} className="space-y-3">
        <legend className="sr-only">How others meet it</legend>
        <label className="flex min-h-11 items-center gap-3 font-medium">
          <input
            type="checkbox"
            className="size-5 accent-accent"
            checked={wanted}
            onChange={(event) => setWanted(event.currentTarget.checked)}
          />
          Publish it as a piece
        </label>
        {wanted ? (
          fields(
            'Its page, embeds and remixes play it like this. Change the World, the sound, the length and the knobs in the studio, then make the plan anew.',
          )
        ) : (
          <p className="max-w-prose text-ink-soft text-sm">
            It is published as a part: others can build with it, and its sound and picture are guessed.
          </p>
        )}
      </fieldset>
    )
  const shownForm = (disabled: boolean) => (
    <fieldset disabled={disabled}>
      <legend className="sr-only">How others meet it</legend>
      {fields(
        'Change the World, the sound, the length and the knobs in the studio, then make the plan anew. What is published stays as it is, one press away, and so does its file.',
      )}
    </fieldset>
  )
  // Without a World there is no choice.
  const isStillDeclined = Boolean(plugin) && !still.wanted
  const isWorldKnown = attached === undefined || plugin !== undefined
  return {
    piece: wanted ? shown : undefined,
    still: wanted ? still.picture : undefined,
    isStillDeclined: connector !== undefined && (!wanted || isStillDeclined),
    waiting:
      !wanted || isWorldKnown ? undefined : isError ? (
        <>
          The World of this piece cannot be read now.{' '}
          <button type="button" className={`${textLink} cursor-pointer`} onClick={() => void refetch()}>
            Try again
          </button>
        </>
      ) : (
        'Looking for the World of this piece…'
      ),
    form,
    shown: {
      piece: isWorldKnown ? shown : undefined,
      still: still.picture,
      isStillDeclined,
      form: shownForm,
    },
  }
}

/** The picture that others see before the World runs, and another moment. */
function StillField({ still: { url, taking, problem, take, wanted, want } }: { still: Still }) {
  return (
    <div className="mt-3 text-sm">
      <label className="flex min-h-11 items-center gap-3 font-medium">
        <input
          type="checkbox"
          className="size-5 accent-accent"
          checked={wanted}
          onChange={(event) => want(event.currentTarget.checked)}
        />
        With a picture of it
      </label>
      {wanted ? null : <p className="text-ink-soft">Its picture is drawn from its numbers.</p>}
      {!wanted ? null : url === undefined ? (
        <p className="text-ink-soft">Drawn from its numbers, until the World has run here.</p>
      ) : (
        // biome-ignore lint/performance/noImgElement: a picture of this page
        <img
          src={url}
          alt="As others will see it"
          className="mt-1 aspect-[1200/630] w-full rounded-md object-cover"
        />
      )}
      {take === undefined || !wanted ? null : (
        <Button size="small" className="mt-2" aria-disabled={taking} onClick={take}>
          {url === undefined ? 'Take a picture' : 'Take another moment'}
        </Button>
      )}
      <p role="status" className="text-ink-soft empty:hidden">
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
  const drawn = useDrawnRun(tabKey({ kind: 'entry', entryId: entry.id }))
  const run = useMemo((): GoodRun | undefined => {
    const streams = drawn?.executeOutput
    return (
      streams && {
        asked: {
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
  return (
    <div className="relative flex h-40 min-w-0 overflow-hidden rounded-md bg-sunk">
      {plugin && run ? (
        <LiveWorld world={plugin} run={run} plots={plots} onOffer={onOffer} />
      ) : plugin ? (
        <TilePicture tile={plugin.tile} />
      ) : (
        plots
      )}
    </div>
  )
}

/** Sound and picture of a piece, in a sentence. */
function heard({ particles, tempo, loop }: Presentation, world: string | undefined): string {
  const seen = world === undefined ? 'Drawn as lines' : `Drawn by ${world}`
  return `${seen}, ${counted(particles, 'step')}, ${tempo} a minute${loop ? ', again and again' : ''}.`
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
