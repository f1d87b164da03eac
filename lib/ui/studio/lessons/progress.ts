import '../../zod-without-eval.ts'
import * as z from 'zod/mini'
import type { Memory } from '../../wallet/session/store.ts'
import { isLessonId, type LessonId } from './catalog.ts'

/** How far somebody is in one lesson. */
export interface Progress {
  /** The step at hand, from 0; as many as there are once it is done. */
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
  /** The visit to the page in which the step at hand began. */
  readonly visit: string
}

/** The lessons of one person in this browser. */
export interface Desk {
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
  visit: text,
})
const deskSchema = z.object({
  active: z.optional(text),
  lessons: z.array(z.tuple([text, progressSchema])).check(z.maxLength(64)),
})

const EMPTY: Desk = { active: undefined, lessons: new Map() }

/** Where progress is kept: per owner, in this browser, for as long as it keeps anything. */
export interface ProgressStore {
  getState(): Desk
  subscribe(listener: () => void): () => void
  /** Shows a lesson, or none. */
  show(id: LessonId | undefined): void
  set(id: LessonId, progress: Progress): void
  /** The lesson begins anew when it is shown the next time. */
  forget(id: LessonId): void
}

/** @param owner An address, or empty for whoever has not signed in. */
export function createProgressStore(memory: Memory, owner: string): ProgressStore {
  const key = keyOf(owner)
  let desk = read(memory, key)
  const listeners = new Set<() => void>()
  const become = (next: Desk) => {
    desk = next
    write(memory, key, desk)
    for (const listener of [...listeners]) listener()
  }
  return {
    getState: () => desk,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    show(active) {
      if (active !== desk.active) become({ ...desk, active })
    },
    set: (id, progress) => become({ ...desk, lessons: new Map(desk.lessons).set(id, progress) }),
    forget(id) {
      const lessons = new Map(desk.lessons)
      lessons.delete(id)
      become({ ...desk, lessons })
    },
  }
}

/** The lesson that was shown before signing in goes on as the account's, unless that is in one already. */
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

function read(memory: Memory, key: string): Desk {
  let json: unknown
  try {
    json = JSON.parse(memory.read(key) ?? 'null')
  } catch {
    return EMPTY
  }
  const found = deskSchema.safeParse(json)
  if (!found.success) return EMPTY
  const { active, lessons } = found.data
  return {
    active: active !== undefined && isLessonId(active) ? active : undefined,
    lessons: new Map(lessons.flatMap(([id, progress]) => (isLessonId(id) ? [[id, progress] as const] : []))),
  }
}

function write(memory: Memory, key: string, { active, lessons }: Desk): void {
  memory.write(key, JSON.stringify({ active, lessons: [...lessons] }))
}
