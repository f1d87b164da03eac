import { DIALECTS, type Dialect } from './protocol.ts'

/** A message of either side, its fields not validated yet. */
export interface Envelope {
  /** As `MESSAGE` spells it, where it is one of these in either dialect. */
  readonly type: string
  /** Undefined for a type of neither. */
  readonly dialect: Dialect | undefined
  readonly worldId: string
  readonly channelToken: string
  /** The whole message. */
  readonly fields: Fields
}

export type Fields = Readonly<Record<string, unknown>>

/** Longest id, token, and name of a message or method. */
const MAX_NAME = 256

/** Parses the data of a message event; undefined when it is no message of this protocol. Never throws. */
export function readEnvelope(data: unknown): Envelope | undefined {
  if (!isFields(data)) return undefined
  const { type, worldId, channelToken } = data
  if (!isName(type) || !isName(worldId) || !isName(channelToken)) return undefined
  const dialect = DIALECTS.find((each) => type.startsWith(`${each}:world-`))
  const known = dialect === undefined ? type : `${DIALECTS[0]}${type.slice(dialect.length)}`
  return { type: known, dialect, worldId, channelToken, fields: data }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_NAME
}
