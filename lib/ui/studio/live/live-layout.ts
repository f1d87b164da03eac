import type { ReactNode } from 'react'
import type { PositionedRunningInstance } from '#lib/protocol/definition.ts'
import type { Presentation } from '#lib/protocol/presentation.ts'
import type { Stream } from '#lib/studio/runs/run.ts'
import type { LiveParts } from '#lib/views/live-parts.ts'

/* What the place of the player and the player, which is loaded later, have in common. */

export interface LiveRunProps {
  /** Name of a published connector, or of a draft on the server. */
  readonly name: string
  /** Whether it has sliders for up to three of its numbers, with a dice and a way into the studio. By default it has. */
  readonly knobs?: boolean
  /** Whether the page is its own: the address says how its knobs are turned, and the page offers the remix. */
  readonly addressed?: boolean
  /** Starts of its run, as a link to a run sets them. */
  readonly starts?: readonly PositionedRunningInstance[]
  /** Steps of its run; by default those of its presentation, else 64. */
  readonly steps?: number
  /** Presentation by its owner; read with the connector where it is not given, guessed where there is none. */
  readonly present?: Presentation | undefined
  /** Whether it plays as it was published, whatever its owner changed since. */
  readonly asPublished?: boolean
  /** Its particles as the server generated them: played where the page may ask nothing. */
  readonly delivered?: readonly Stream[]
  /** Data of the site that it needs; read where it is not given. */
  readonly parts?: LiveParts | undefined
  /** Address of a picture of its World, until that plays. */
  readonly still?: string | undefined
  /** Slug of a World that draws it in place of its author's; plots draw it where there is neither. */
  readonly world?: string | undefined
  /** Leaves out the volume and makes the stage low, for tiles and narrow columns. */
  readonly compact?: boolean
  /** Classes that size the stage, in place of its own height. */
  readonly shape?: string
  /** Called with the address of the studio that has what is played as a draft; by default the page goes there. */
  readonly onKeep?: (href: string) => void
  /** Called when it can play, when its sound starts or stops, and at each step. */
  readonly onState?: (state: LiveState) => void
  /** In the stage until the player is there: a picture from the server, for instance. */
  readonly children?: ReactNode
}

export interface LiveState {
  /** Whether it can play. */
  readonly ready: boolean
  readonly playing: boolean
  readonly step: number
  readonly steps: number
}

/** Classes of the stage, the same before and after the player is loaded. */
export function stageShape({ compact = false, shape }: LiveRunProps): string {
  return `relative flex min-w-0 flex-col overflow-hidden rounded-lg ${shape ?? (compact ? 'h-44' : 'h-[clamp(14rem,42dvh,28rem)]')}`
}

/** Classes of the place of the knobs: one row, on phones two where there may be more than two knobs. */
export function knobsShape({ present }: LiveRunProps): string {
  const fitsOneRow = (present?.knobs?.length ?? Number.POSITIVE_INFINITY) <= 2
  return `min-h-19 pt-2 ${fitsOneRow ? '' : 'max-sm:min-h-37'}`
}

export const BAR = 'flex min-h-14 min-w-0 items-center gap-3 text-sm'
