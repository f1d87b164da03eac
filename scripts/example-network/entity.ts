import type { Presentation } from '#lib/protocol/presentation.ts'

/** Entities that `npm start` publishes, as plain requests of the chain API, in an order in which each finds what it needs. */
export interface ExampleEntity {
  readonly kind: 'transformation' | 'condition' | 'connector'
  readonly name: string
  readonly request: {
    readonly name: string
    readonly sol_src?: string
    readonly dimensions?: readonly ExampleDimension[]
    readonly condition_name?: string
    readonly condition_args?: readonly number[]
    readonly static_ri?: Readonly<Record<string, ReturnType<typeof start>>>
  }
  readonly description: string
  /** Name of the same kind that it was made from. */
  readonly madeFrom?: string
}

/** Presentation of an example, its World by slug: the hash of the bundle is known once that is published. */
type ExamplePresentation = Omit<Presentation, 'world'> & { readonly world: string }

/** A piece of the example network. */
export interface ExamplePiece extends ExampleEntity {
  readonly kind: 'connector'
  readonly title: string
  readonly present: ExamplePresentation
  /** Whether its voices are meant to sound together without seconds, sevenths and tritones. */
  readonly consonant?: true
  /** Whether its World shows all of it while nothing plays. */
  readonly isWholeAtRest?: true
}

interface ExampleDimension {
  readonly transformations: readonly Call[]
  readonly composite?: string
  readonly bindings?: Readonly<Record<string, string>>
}

interface Call {
  readonly name: string
  readonly args: readonly number[]
}

/** A dimension: what happens to its number at each step, where it starts, and the connector that it leads to. */
export interface Line {
  readonly calls: readonly Call[]
  readonly start?: number
  readonly into?: string
  /** Connectors in place of paths of that one, by their slot. */
  readonly bindings?: Readonly<Record<string, string>>
}

/** A connector as lines; its request follows once those that it leads to are known. */
export interface Part extends Pick<ExampleEntity, 'name' | 'description' | 'madeFrom'> {
  readonly lines: readonly Line[]
}

/** A piece as lines. Steps a minute are four for each beat. */
export interface Piece
  extends Part,
    Pick<ExamplePiece, 'title' | 'present' | 'consonant' | 'isWholeAtRest'> {}

export function call(name: string, ...args: readonly number[]): Call {
  return { name, args }
}

export function start(startPoint: number) {
  return { start_point: startPoint, transformation_shift: 0 }
}

/** Numbers in turn, over and over: of the index n it gives the one at its remainder. */
export function table(values: readonly number[], into?: string): Line {
  const [first = 0, ...rest] = values
  return {
    calls: [...rest, first].map((value) => call('set_to', value)),
    start: first,
    ...(into !== undefined && { into }),
  }
}

/** A connector of one line. */
export function oneLine(name: string, description: string, line: Line): Part {
  return { name, description, lines: [line] }
}

/** Connectors with their requests. Each comes after those that it leads to. */
export function connectorsOf(parts: readonly (Part | Piece)[]): readonly (ExampleEntity | ExamplePiece)[] {
  /** Positions below a connector, by its name. */
  const sizes = new Map<string, number>()
  return parts.map(({ lines, ...words }) => {
    const starts: Record<string, ReturnType<typeof start>> = {}
    let position = 1
    for (const [dimension, { start: first, into, bindings = {} }] of lines.entries()) {
      // The starts of a nested connector are read by dimension, those of the one that is run by position.
      if (first !== undefined) starts['present' in words ? position : dimension + 1] = start(first)
      for (const below of [into ?? [], ...Object.values(bindings)].flat()) {
        const size = sizes.get(below)
        if (size === undefined) throw new Error(`${below} comes after ${words.name}, which leads to it`)
        position += size
      }
      position += 1
    }
    sizes.set(words.name, position - 1)
    const dimensions = lines.map(({ calls, into, bindings }) => ({
      transformations: calls,
      ...(into !== undefined && { composite: into }),
      ...(bindings !== undefined && { bindings }),
    }))
    const hasStarts = Object.keys(starts).length > 0
    const request = { name: words.name, dimensions, ...(hasStarts && { static_ri: starts }) }
    return { ...words, kind: 'connector' as const, request }
  })
}
