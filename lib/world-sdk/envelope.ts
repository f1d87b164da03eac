/** A message of either side, its own fields not looked at yet. */
export interface Envelope {
  readonly type: string
  readonly worldId: string
  readonly channelToken: string
  /** The message itself. */
  readonly fields: Fields
}

export type Fields = Readonly<Record<string, unknown>>

/** Longest id, token, name of a message or method; anything longer is not ours. */
const MAX_NAME = 256

/** Reads whatever `postMessage` delivered; undefined when it is none of ours. Never throws. */
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
