import '#lib/browser/zod-without-eval.ts'
import * as z from 'zod/mini'
import type { Memory } from '#lib/browser/memory.ts'
import { createValue, type Readable } from '#lib/browser/value.ts'
import { isLessonId, type LessonId } from './catalog.ts'

/** Progress of one lesson. */
export interface Progress {
  /** Index of the current step; the number of steps once it is done. */
  readonly step: number
  /** The furthest step that was reached. */
  readonly reached: number
  readonly finished: boolean
  /** Part of all names of this round. */
  readonly word: string
  /** Which entry of the document plays which role: pairs of role and id. */
  readonly made: readonly (readonly [role: string, id: string])[]
  /** Ids of the entries that were there before. */
  readonly known: readonly string[]
}

/** The lessons of one owner in this browser. */
export interface LessonsState {
  /** The lesson that is shown. */
  readonly active: LessonId | undefined
  readonly lessons: ReadonlyMap<LessonId, Progress>
}

const text = z.string().check(z.maxLength(64))
const count = z.int().check(z.gte(0), z.lte(1_000))
const progressSchema = z.object({
  step: count,
  reached: count,
  finished: z.boolean(),
  word: z.string().check(z.regex(/^[a-z]{1,32}$/)),
  made: z.array(z.tuple([text, text])).check(z.maxLength(64)),
  known: z.array(text).check(z.maxLength(2_000)),
})
const lessonsSchema = z.object({
  active: z.optional(text),
  lessons: z.array(z.tuple([text, progressSchema])).check(z.maxLength(64)),
})

const EMPTY: LessonsState = { active: undefined, lessons: new Map() }

/** Progress of one owner, persisted in this browser. */
export interface ProgressStore extends Readable<LessonsState> {
  /** Shows a lesson, or none. */
  show(id: LessonId | undefined): void
  set(id: LessonId, progress: Progress): void
  /** The lesson restarts when it is shown the next time. */
  forget(id: LessonId): void
}

/** @param owner An address, or empty for a visitor. */
export function createProgressStore(memory: Memory, owner: string): ProgressStore {
  const key = keyOf(owner)
  const state = createValue(read(memory, key))
  const setState = (next: LessonsState) => {
    write(memory, key, next)
    state.setState(next)
  }
  return {
    getState: state.getState,
    subscribe: state.subscribe,
    show(active) {
      if (active !== state.getState().active) setState({ ...state.getState(), active })
    },
    set: (id, progress) =>
      setState({ ...state.getState(), lessons: new Map(state.getState().lessons).set(id, progress) }),
    forget(id) {
      const lessons = new Map(state.getState().lessons)
      lessons.delete(id)
      setState({ ...state.getState(), lessons })
    },
  }
}

/** Progress stores of a page, one for each owner. @returns the store of an owner: an address, or empty for a visitor. */
export function createProgressStores(memory: Memory): (owner: string) => ProgressStore {
  const stores = new Map<string, ProgressStore>()
  return (owner) => {
    const store = stores.get(owner) ?? createProgressStore(memory, owner)
    stores.set(owner, store)
    return store
  }
}

/** Moves a visitor's active lesson to the account, unless the account has one. */
export function takeOver(visitor: ProgressStore, account: ProgressStore): void {
  const { active, lessons } = visitor.getState()
  const progress = active && lessons.get(active)
  if (active === undefined || progress === undefined || account.getState().active !== undefined) return
  account.set(active, progress)
  account.show(active)
  visitor.show(undefined)
  visitor.forget(active)
}

function keyOf(owner: string): string {
  return `weft-lessons/${owner}`
}

function read(memory: Memory, key: string): LessonsState {
  let json: unknown
  try {
    json = JSON.parse(memory.read(key) ?? 'null')
  } catch {
    return EMPTY
  }
  const result = lessonsSchema.safeParse(json)
  if (!result.success) return EMPTY
  const { active, lessons } = result.data
  return {
    active: active !== undefined && isLessonId(active) ? active : undefined,
    lessons: new Map(lessons.flatMap(([id, progress]) => (isLessonId(id) ? [[id, progress] as const] : []))),
  }
}

function write(memory: Memory, key: string, { active, lessons }: LessonsState): void {
  memory.write(key, JSON.stringify({ active, lessons: [...lessons] }))
}
