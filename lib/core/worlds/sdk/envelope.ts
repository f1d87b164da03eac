/** A message of either side, its fields not validated yet. */
export interface Envelope {
  readonly type: string
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
  return { type, worldId, channelToken, fields: data }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_NAME
}
