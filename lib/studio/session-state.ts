import type { Readable } from '#lib/browser/value.ts'
import { refKey } from './document/node-ref.ts'
import { type Library, type LibrarySource, type Parts, partsOf } from './document/parts.ts'
import type { Problem } from './document/problem.ts'
import { problems } from './document/problems.ts'
import { type Shapes, shapesOf } from './document/shapes.ts'
import type { Selection, StudioState, StudioStore } from './document/store.ts'
import type { StudioDocument, StudioView } from './document/types.ts'

/** Everything that can be read of a session at one moment. */
export interface SessionState extends StudioState {
  readonly library: Library
  readonly parts: Parts
  readonly shapes: Shapes
  readonly problems: readonly Problem[]
  /** By `refKey` of the node. */
  readonly problemsAt: ReadonlyMap<string, readonly Problem[]>
}

/** Results that follow from a document and a library, each computed at its first use and then stored. */
class Derived {
  readonly document: StudioDocument
  readonly library: Library
  #parts: Parts | undefined
  #shapes: Shapes | undefined
  #problems: readonly Problem[] | undefined
  #problemsAt: ReadonlyMap<string, readonly Problem[]> | undefined

  constructor(document: StudioDocument, library: Library) {
    this.document = document
    this.library = library
  }
  get parts(): Parts {
    this.#parts ??= partsOf(this.document, this.library)
    return this.#parts
  }
  get shapes(): Shapes {
    this.#shapes ??= shapesOf(this.parts)
    return this.#shapes
  }
  get problems(): readonly Problem[] {
    this.#problems ??= problems(this.document, this.library, this)
    return this.#problems
  }
  get problemsAt(): ReadonlyMap<string, readonly Problem[]> {
    this.#problemsAt ??= byNode(this.problems)
    return this.#problemsAt
  }
}

/** State of a session at one moment; its derived values are those of every moment with the same document and library. */
class Moment implements SessionState {
  readonly #state: StudioState
  readonly derived: Derived

  constructor(state: StudioState, derived: Derived) {
    this.#state = state
    this.derived = derived
  }
  get document(): StudioDocument {
    return this.#state.document
  }
  get view(): StudioView {
    return this.#state.view
  }
  get selection(): Selection {
    return this.#state.selection
  }
  get undoLabel(): string | undefined {
    return this.#state.undoLabel
  }
  get redoLabel(): string | undefined {
    return this.#state.redoLabel
  }
  get library(): Library {
    return this.derived.library
  }
  get parts(): Parts {
    return this.derived.parts
  }
  get shapes(): Shapes {
    return this.derived.shapes
  }
  get problems(): readonly Problem[] {
    return this.derived.problems
  }
  get problemsAt(): ReadonlyMap<string, readonly Problem[]> {
    return this.derived.problemsAt
  }
  isOf(state: StudioState, library: Library): boolean {
    return this.#state === state && this.derived.library === library
  }
}

/** State of a session: a new object after each change of its document or library. */
export function sessionState(store: StudioStore, source: LibrarySource): Readable<SessionState> {
  const begin = (state: StudioState, library: Library) =>
    new Moment(state, new Derived(state.document, library))
  let moment = begin(store.getState(), source.getState())
  return {
    getState() {
      const [state, library] = [store.getState(), source.getState()]
      if (moment.isOf(state, library)) return moment
      const { derived } = moment
      moment =
        derived.document === state.document && derived.library === library
          ? new Moment(state, derived)
          : begin(state, library)
      return moment
    },
    subscribe(listener) {
      const ends = [store.subscribe(listener), source.subscribe(listener)]
      return () => {
        for (const end of ends) end()
      }
    },
  }
}

function byNode(all: readonly Problem[]): ReadonlyMap<string, readonly Problem[]> {
  const groups = new Map<string, Problem[]>()
  for (const problem of all) {
    const key = refKey(problem.at)
    const group = groups.get(key)
    if (group) group.push(problem)
    else groups.set(key, [problem])
  }
  return groups
}
