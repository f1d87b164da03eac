import { createValue, type Readable } from '#lib/browser/value.ts'
import type { PreviewRequest } from '#lib/server/operations/studio/preview-schemas.ts'
import type { Runs } from '../runs/runs.ts'
import type { Choice } from './choices.ts'

/** A choice with the arguments that its picture is drawn with. */
export interface Pictured {
  readonly choice: Exclude<Choice, { readonly from: 'new' }>
  readonly args: readonly number[]
}

const STEPS = 24
/** The connector that is run; no slice of a document holds it. */
const ROOT = 'pictures'

/** Where the picture of a phrase begins, and what takes turns with those that would stay where they are. */
const PHRASES: Readonly<Record<string, { readonly start?: number; readonly add?: number }>> = {
  subtract: { start: 96 },
  multiply: { start: 1 },
  divide: { start: 65_536 },
  set_to: { add: 2 },
  stay: { add: 2 },
  keep_between: { add: 3 },
  mirror_between: { start: 12, add: 4 },
  round_to: { add: 3 },
  random_walk: { start: 12 * 65_536 },
  arpeggio: { start: 60 },
  scale_up: { start: 60 },
  to_major: { start: 60, add: 1 },
  to_pentatonic: { start: 60, add: 1 },
  to_octave: { start: 60, add: 5 },
}

/** Names the picture of a choice: another body is another picture. */
export function pictureKey({ choice, args }: Pictured): string {
  const source = choice.from === 'own' ? choice.entry.source : ''
  return JSON.stringify([choice.from, choice.name, args, source])
}

/** Rounds, and what lies between them: a run that the connector's own run displaced draws nothing. */
const MAX_ROUNDS = 4
const PAUSE_MS = 250

/** Pictures of choices: the first values of each, by `pictureKey`; empty where it does not run. */
export interface Pictures extends Readable<ReadonlyMap<string, readonly number[]>> {
  /** Draws what is not drawn yet, in the engine of this browser: the phrase book in one run, everything else by itself. */
  draw(items: readonly Pictured[], signal: AbortSignal): Promise<void>
}

export function createPictures(runs: Pick<Runs, 'aside'>): Pictures {
  const drawn = createValue<ReadonlyMap<string, readonly number[]>>(new Map())

  const groupsOf = (items: readonly Pictured[]): readonly (readonly Pictured[])[] => {
    const missing = items.filter((each) => !drawn.getState().has(pictureKey(each)))
    const phrases = missing.filter(({ choice }) => choice.from === 'phrase book')
    return [
      ...(phrases.length > 0 ? [phrases] : []),
      ...missing.filter(({ choice }) => choice.from !== 'phrase book').map((each) => [each]),
    ]
  }
  const show = (group: readonly Pictured[], streams: readonly { readonly data: readonly number[] }[]) => {
    const next = new Map(drawn.getState())
    for (const [index, each] of group.entries()) next.set(pictureKey(each), streams[index]?.data ?? [])
    drawn.setState(next)
  }

  return {
    getState: drawn.getState,
    subscribe: drawn.subscribe,
    async draw(items, signal) {
      let groups = groupsOf(items)
      for (let round = 1; groups.length > 0 && round <= MAX_ROUNDS; round++) {
        if (round > 1) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
        const left: (readonly Pictured[])[] = []
        for (const group of groups) {
          const answer = await runs.aside(questionOf(group), signal)
          if (signal.aborted) return
          if (answer?.result.outcome === 'particles') show(group, answer.result.particles)
          else left.push(group)
        }
        groups = left
      }
    },
  }
}

function questionOf(group: readonly Pictured[]): PreviewRequest {
  const dimensions = group.map(({ choice, args }) => {
    const { add } = startOf(choice)
    return {
      transformations: [
        ...(add === undefined ? [] : [{ name: 'add', args: [add] }]),
        { name: choice.name, args: [...args] },
      ],
      composite: '',
      bindings: {},
    }
  })
  const starts = group.map(({ choice }, index) => [
    String(index + 1),
    { start_point: startOf(choice).start ?? 0, transformation_shift: 0 },
  ])
  return {
    connector_name: ROOT,
    connectors: [{ name: ROOT, dimensions, condition_name: '', condition_args: [], static_ri: {} }],
    bodies: group.flatMap(({ choice }) =>
      choice.from === 'own'
        ? [{ kind: 'transformation' as const, name: choice.name, sol_src: choice.entry.source }]
        : [],
    ),
    particles_count: STEPS,
    dynamic_ri: Object.fromEntries(starts),
  }
}

function startOf(choice: Choice): { readonly start?: number; readonly add?: number } {
  return choice.from === 'phrase book' ? (PHRASES[choice.name] ?? {}) : {}
}
