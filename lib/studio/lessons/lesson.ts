import type { Problem } from '../document/problem.ts'
import type { CodeEntry, ConnectorEntry, Entry, StudioDocument } from '../document/types.ts'

/** Role of an entry in a lesson, whatever its name is by now: `tune`, `climb`. */
export type Role = string

/** The entries of a lesson among those of the document. */
export interface Pieces {
  readonly document: StudioDocument
  entry(role: Role): Entry | undefined
  connector(role: Role): ConnectorEntry | undefined
  code(role: Role): CodeEntry | undefined
  /** Its present name; while there is none, the one that the lesson would give it. */
  name(role: Role): string
}

/** Facts for the check of a step. */
export interface Snapshot extends Pieces {
  readonly problems: readonly Problem[]
}

/** True, or what is still missing, as a sentence. */
export type Holds = true | string

/** Expected result of the server's run of what was made. */
export type Expectation =
  /** The first particles of every path, in order. */
  | { readonly of: 'particles'; readonly role: Role; readonly values: readonly (readonly number[])[] }
  /** The result of a body alone. */
  | { readonly of: 'tries'; readonly role: Role; readonly tries: readonly Try[] }

export interface Try {
  readonly x: number
  readonly args: readonly number[]
  readonly values: readonly number[]
}

/** A control of the page, in the editor of an entry where `within` names one. */
export interface Target {
  readonly within?: Role
  readonly control: { readonly css: string } | { readonly button: string; readonly bar?: true }
}

/** A fact outside of the document. */
export type Awaited = 'account' | 'published' | 'sound'

export interface Step {
  readonly title: string
  /** Paragraphs; code between backticks. */
  readonly text: readonly string[]
  readonly target?: Target
  /** The next entry of this kind that is made takes the role. */
  readonly adopts?: { readonly role: Role; readonly kind: Entry['kind']; readonly make: () => Entry }
  readonly holds?: (snapshot: Snapshot) => Holds
  readonly expects?: Expectation
  readonly awaits?: Awaited
  /** The connector that `published` is about. */
  readonly publishes?: Role
  /** Does the step. What adopts an entry needs none: making the entry does it. */
  readonly doIt?: (pieces: Pieces) => StudioDocument
  /** In place of the text where the chain is not for development: there nothing is published for practice. */
  readonly elsewhere?: readonly string[]
}

export interface Piece {
  readonly role: Role
  readonly entry: Entry
}

/** Maps a role to its name in this round: `tune_kelora`. */
export type Naming = (role: Role) => string

export interface Lesson {
  /** Pieces that are there when the lesson begins. The first of them is opened. */
  readonly setUp: (naming: Naming) => readonly Piece[]
  /**
   * @param name What the entries are called now.
   * @param naming What the lesson would call them.
   */
  readonly steps: (name: Naming, naming: Naming) => readonly Step[]
  /** Summary, shown when it is done. */
  readonly ending: readonly string[]
}
