/*
 * A conversation with a model, in no API's spelling. Each protocol writes it as its API takes it, and reads what streams
 * back.
 */

/** A tool as a model knows it. */
export interface ToolSpec {
  readonly name: string
  readonly description: string
  /** JSON Schema of its input, an object. */
  readonly schema: object
}

export interface ToolCall {
  readonly id: string
  readonly name: string
  /** As the model wrote it; undefined where it is no JSON. */
  readonly input: unknown
}

export interface ToolResult {
  readonly id: string
  readonly text: string
  readonly isError: boolean
  /** A PNG in base64. */
  readonly picture?: string | undefined
}

export type Message =
  | { readonly from: 'person'; readonly text: string }
  | ModelMessage
  | { readonly from: 'tools'; readonly results: readonly ToolResult[] }

export interface ModelMessage {
  readonly from: 'model'
  readonly text: string
  readonly calls: readonly ToolCall[]
  /** In the spelling of its API, which wants it back unchanged. */
  readonly raw: unknown
}

/** Tokens, and the cost where the endpoint reports one, in its own currency. */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly cost?: number | undefined
}

export interface Reply {
  readonly message: ModelMessage
  readonly usage: Usage
  /** Why it ended early; undefined where it did not. */
  readonly cut?: 'length' | 'refusal' | undefined
}

export interface Prompt {
  readonly model: string
  readonly system: string
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSpec[]
}

/** One API: how a prompt is sent, and how its stream is read. */
export interface Protocol {
  /** @param base Address of the API, without a slash at its end. */
  request(
    base: string,
    key: string,
    prompt: Prompt,
  ): { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: unknown }
  /**
   * @param events JSON of each event.
   * @throws {EndpointError} for an error within the stream.
   */
  read(events: AsyncIterable<unknown>, onText: (text: string) => void): Promise<Reply>
}

/** Fields of an event or error of unknown shape. */
export type Json = { readonly [name: string]: unknown }

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object in a field; an empty one where there is none. */
export function objectIn(value: unknown, name: string): Json {
  const field = isObject(value) ? value[name] : undefined
  return isObject(field) ? field : {}
}

export function textIn(value: unknown, name: string): string {
  const field = isObject(value) ? value[name] : undefined
  return typeof field === 'string' ? field : ''
}

export function numberIn(value: unknown, name: string): number | undefined {
  const field = isObject(value) ? value[name] : undefined
  return typeof field === 'number' && Number.isFinite(field) ? field : undefined
}

export function listIn(value: unknown, name: string): readonly unknown[] {
  const field = isObject(value) ? value[name] : undefined
  return Array.isArray(field) ? field : []
}

/** The input of a call; none at all is an empty one. */
export function inputOf(json: string): unknown {
  try {
    return json.trim() === '' ? {} : JSON.parse(json)
  } catch {
    return undefined
  }
}
