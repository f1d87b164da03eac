/**
 * Purpose of a path in the music.
 *
 * - `pitch`: its values are notes
 * - `velocity`, `length`, `gate`: how loud, how long (in steps) and whether at all (0 is a rest) notes sound
 * - `time`: the step at which each note begins, counted from the first
 * - `pan`: where notes are, from left to right
 */
export const ROLES = ['pitch', 'velocity', 'length', 'gate', 'time', 'pan'] as const
export type Role = (typeof ROLES)[number]

/** Last words of names, as the example network and the documents of the original have them. */
const NAMES: Readonly<Record<Role, readonly string[]>> = {
  pitch: ['pitch', 'note', 'notes', 'tone', 'midi'],
  velocity: ['velocity', 'loudness', 'volume', 'level', 'dynamics', 'accent'],
  length: ['duration', 'length', 'sustain'],
  gate: ['gate', 'rest'],
  time: ['time', 'onset'],
  pan: ['pan'],
}
const ROLE_OF = new Map(ROLES.flatMap((role) => NAMES[role].map((name) => [name, role] as const)))

/** Roles of paths that shape notes. */
const SHAPING = ['velocity', 'length', 'gate', 'time', 'pan'] as const

/** Values that shape the notes of a path, each of the nearest path with that role. */
export type Shape = Readonly<Partial<Record<(typeof SHAPING)[number], readonly number[]>>>

/** Whether two shapes are the same arrays. */
export function isSameShape(a: Shape, b: Shape): boolean {
  return SHAPING.every((role) => a[role] === b[role])
}

export interface PathRole {
  readonly role: Role
  /** Shape of a pitch; empty where no other path shapes it. */
  readonly shape: Shape
}

interface RolePath {
  readonly path: string
  readonly data: readonly number[]
  /** As its author chose it. */
  readonly role?: Role | undefined
  /** Whether the author chose an instrument for it, so that it sounds for itself. */
  readonly isVoiced: boolean
}

/**
 * Roles of paths: as chosen, else by their names. A path that is no pitch has one only where there are notes to
 * shape, which are those below the connector that has them both.
 *
 * @returns for each path its role; undefined where its values alone say what it plays.
 */
export function rolesOf(paths: readonly RolePath[]): readonly (PathRole | undefined)[] {
  const rolePaths = paths.map((each) => ({
    ...each,
    role: each.role ?? (each.isVoiced ? undefined : roleByName(each.path)),
  }))
  // A pitch with an instrument of its own is still a pitch.
  const isNote = rolePaths.map(({ role, path }) => (role ?? roleByName(path)) === 'pitch')
  const shapes = rolePaths
    .filter(({ role }) => role !== undefined && role !== 'pitch')
    .map((each) => ({ ...each, scope: scopeOf(each.path) }))
    // The nearest first.
    .toSorted((a, b) => b.scope.length - a.scope.length)
  const shaped = (path: string, role: Role) =>
    shapes.find((each) => each.role === role && path.startsWith(each.scope))?.data
  return rolePaths.map(({ path, role }, index) => {
    if (isNote[index]) {
      const shapes = SHAPING.flatMap((each) => {
        const data = shaped(path, each)
        return data === undefined ? [] : [[each, data] as const]
      })
      return { role: 'pitch', shape: Object.fromEntries(shapes) }
    }
    if (role === undefined) return undefined
    const scope = scopeOf(path)
    const hasNotes = rolePaths.some((other, at) => isNote[at] && other.path.startsWith(scope))
    return hasNotes ? { role, shape: {} } : undefined
  })
}

/** The role that a word of an author names; undefined for one that is not known. */
export function roleNamed(word: string): Role | undefined {
  return ROLE_OF.get(word.toLowerCase())
}

/** `/weave:0/slow_pitch:0` is a pitch. */
function roleByName(path: string): Role | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1, path.lastIndexOf(':'))
  return roleNamed(name.slice(name.lastIndexOf('_') + 1))
}

/** Beginning of all paths below the connector whose dimension leads to this one: of `/weave:0/duet:1/velocity:0`, `/weave:0/duet:`. */
function scopeOf(path: string): string {
  const dimension = path.slice(0, path.lastIndexOf('/'))
  return dimension.slice(0, dimension.lastIndexOf(':') + 1)
}
