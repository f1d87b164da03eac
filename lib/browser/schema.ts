/*
 * Schemas of plain values from outside the page: files, the clipboard, links, what another version has stored. Every visit
 * of the studio loads this, so it has no more than the studio asks for.
 */

/** Why a value is refused, and where in it. */
export interface Issue {
  readonly path: readonly (string | number)[]
  readonly words: string
}

/** The same value, or the first few issues. */
type Read<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly issues: readonly Issue[] }

export interface Schema<T> {
  safeParse(value: unknown): Read<T>
  inspect(value: unknown, at: Inspection): void
}

type Infer<S> = S extends Schema<infer T> ? T : never

type Shape = Readonly<Record<string, Schema<unknown>>>

interface ObjectSchema<T> extends Schema<T> {
  readonly shape: Shape
}

type ObjectOf<S extends Shape> = ObjectSchema<{ readonly [Key in keyof S]: Infer<S[Key]> }>

interface Inspection {
  readonly path: (string | number)[]
  readonly issues: Issue[]
}

/** More would not be read, and a hostile value could have millions. */
const MAX_ISSUES = 5

function schema<T>(inspect: Schema<T>['inspect']): Schema<T> {
  return {
    inspect(value, at) {
      if (at.issues.length < MAX_ISSUES) inspect(value, at)
    },
    safeParse(value) {
      const issues: Issue[] = []
      inspect(value, { path: [], issues })
      return issues.length === 0 ? { success: true, data: value as T } : { success: false, issues }
    },
  }
}

function refuse({ path, issues }: Inspection, words: string): void {
  if (issues.length < MAX_ISSUES) issues.push({ path: [...path], words })
}

function inspectAt(key: string | number, { inspect }: Schema<unknown>, value: unknown, at: Inspection): void {
  at.path.push(key)
  inspect(value, at)
  at.path.pop()
}

interface Limits {
  readonly min?: number
  readonly max?: number
}

/** @param what Has those limits: a number, or a length. */
function inspectLimits(what: number, { min, max }: Limits, at: Inspection): void {
  if (max !== undefined && what > max) refuse(at, `too large, at most ${max}`)
  else if (min !== undefined && what < min) refuse(at, `too small, at least ${min}`)
}

const UNKNOWN = 'not a value that is known here'

/** @param limits Of its length in UTF-16 units. */
export function text(limits: Limits = {}, pattern?: RegExp): Schema<string> {
  return schema((value, at) => {
    if (typeof value !== 'string') refuse(at, 'expected string')
    else if (pattern?.test(value) === false) refuse(at, UNKNOWN)
    else inspectLimits(value.length, limits, at)
  })
}

/** A finite number. */
export function number(limits: Limits = {}): Schema<number> {
  return schema((value, at) => {
    if (!Number.isFinite(value)) refuse(at, 'expected number')
    else inspectLimits(value as number, limits, at)
  })
}

/** A whole number that is exact. */
export function whole({
  min = Number.MIN_SAFE_INTEGER,
  max = Number.MAX_SAFE_INTEGER,
}: Limits): Schema<number> {
  return schema((value, at) => {
    if (!Number.isFinite(value)) refuse(at, 'expected number')
    else if (!Number.isInteger(value)) refuse(at, 'expected int')
    else inspectLimits(value as number, { min, max }, at)
  })
}

export const truth: Schema<boolean> = schema((value, at) => {
  if (typeof value !== 'boolean') refuse(at, 'expected boolean')
})

export const anything: Schema<unknown> = schema(() => {})

export function oneOf<const T extends readonly (string | number)[]>(...values: T): Schema<T[number]> {
  return schema((value, at) => {
    if (!(values as readonly unknown[]).includes(value)) refuse(at, UNKNOWN)
  })
}

/** Undefined counts as absent. */
export function optional<T>(of: Schema<T>): Schema<T | undefined> {
  return schema((value, at) => {
    if (value !== undefined) of.inspect(value, at)
  })
}

export function nullable<T>(of: Schema<T>): Schema<T | null> {
  return schema((value, at) => {
    if (value !== null) of.inspect(value, at)
  })
}

export function list<T>(item: Schema<T>, max: number): Schema<readonly T[]> {
  return schema((value, at) => {
    if (!Array.isArray(value)) return refuse(at, 'expected array')
    if (value.length > max) return inspectLimits(value.length, { max }, at)
    for (let index = 0; index < value.length; index++) inspectAt(index, item, value[index], at)
  })
}

/** A list of two. */
export function pair<A, B>(first: Schema<A>, second: Schema<B>): Schema<readonly [A, B]> {
  return schema((value, at) => {
    if (!Array.isArray(value) || value.length !== 2) return refuse(at, 'expected array')
    inspectAt(0, first, value[0], at)
    inspectAt(1, second, value[1], at)
  })
}

/** An object; other fields are left alone. */
export function object<S extends Shape>(shape: S): ObjectOf<S> {
  const inspect: Schema<unknown>['inspect'] = (value, at) => {
    if (!isObject(value)) return refuse(at, 'expected object')
    for (const [key, field] of Object.entries(shape)) inspectAt(key, field, value[key], at)
  }
  return { ...schema(inspect), shape }
}

/** An object without other fields. */
export function strictObject<S extends Shape>(shape: S): ObjectOf<S> {
  const open = object(shape)
  const inspect: Schema<unknown>['inspect'] = (value, at) => {
    open.inspect(value, at)
    if (!isObject(value)) return
    const unknown = Object.keys(value).filter((key) => !Object.hasOwn(shape, key))
    if (unknown.length === 0) return
    refuse(at, `unknown field ${unknown.map((key) => `“${key}”`).join(', ')}`)
  }
  return { ...schema(inspect), shape }
}

/** One of several objects, told apart by a field. */
export function union<const O extends readonly ObjectSchema<unknown>[]>(
  key: string,
  ...options: O
): Schema<Infer<O[number]>> {
  return schema((value, at) => {
    if (!isObject(value)) return refuse(at, 'expected object')
    const option = options.find(({ shape }) => shape[key]?.safeParse(value[key]).success)
    if (option === undefined) inspectAt(key, NONE, value, at)
    else option.inspect(value, at)
  })
}

const NONE: Schema<never> = schema((_value, at) => refuse(at, UNKNOWN))

/** @param holds Asked of values that have no other issue. */
export function refine<T>(of: Schema<T>, holds: (value: T) => boolean, words: string): Schema<T> {
  return schema((value, at) => {
    const { length } = at.issues
    of.inspect(value, at)
    if (at.issues.length === length && !holds(value as T)) refuse(at, words)
  })
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
