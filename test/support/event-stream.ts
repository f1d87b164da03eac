import { type ClientRequest, type IncomingMessage, request } from 'node:http'

/** One frame of a stream of server-sent events. */
export interface Frame {
  readonly id?: number
  readonly event?: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly comment?: string
}

export interface StreamOptions {
  readonly headers?: Readonly<Record<string, string>>
}

/** A reader of server-sent events that accepts the documented wire form and nothing else. */
export class EventStreamReader {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly #request: ClientRequest
  readonly #response: IncomingMessage
  #text = ''
  readonly #frames: Frame[] = []
  #wake = Promise.withResolvers<void>()
  #ended = false

  /** @throws Error when the connection fails. */
  static async open(url: string, { headers = {} }: StreamOptions = {}): Promise<EventStreamReader> {
    const sent = request(url, { headers, agent: false })
    // A stream that is cut fails its request after the answer as well.
    sent.on('error', () => {})
    const answer = Promise.withResolvers<IncomingMessage>()
    sent.once('response', answer.resolve)
    sent.once('error', answer.reject)
    sent.end()
    return new EventStreamReader(sent, await answer.promise)
  }

  private constructor(sent: ClientRequest, response: IncomingMessage) {
    this.status = response.statusCode ?? 0
    this.headers = response.headers
    this.#request = sent
    this.#response = response
    response.setEncoding('utf8')
    response.on('data', (text: string) => this.#take(text))
    for (const event of ['end', 'error', 'close'] as const) {
      response.on(event, () => {
        this.#ended = true
        this.#wake.resolve()
      })
    }
  }

  /** The next frame; undefined when the stream has ended. */
  async next(timeoutMs = 60_000): Promise<Frame | undefined> {
    const deadline = Date.now() + timeoutMs
    for (;;) {
      const frame = this.#frames.shift()
      if (frame !== undefined) return frame
      if (this.#ended) return undefined
      const late = setTimeout(() => this.#wake.resolve(), Math.max(1, deadline - Date.now()))
      await this.#wake.promise
      clearTimeout(late)
      this.#wake = Promise.withResolvers()
      if (Date.now() > deadline && this.#frames.length === 0 && !this.#ended) {
        throw new Error(`no frame within ${timeoutMs} ms`)
      }
    }
  }

  /** Frames up to and including the first that fits. */
  async until(fits: (frame: Frame) => boolean, timeoutMs?: number): Promise<Frame[]> {
    const frames: Frame[] = []
    for (;;) {
      const frame = await this.next(timeoutMs)
      if (frame === undefined)
        throw new Error(
          `the stream, answered ${this.status}, ended after ${JSON.stringify(frames.slice(-3))}`,
        )
      frames.push(frame)
      if (fits(frame)) return frames
    }
  }

  /** Frames that are here already. */
  received(): readonly Frame[] {
    return this.#frames
  }

  /** Stops taking anything off the wire. */
  stall(): void {
    this.#response.pause()
  }

  close(): void {
    this.#request.destroy()
  }

  #take(text: string): void {
    const parts = (this.#text + text).split('\n\n')
    this.#text = parts.pop() as string
    this.#frames.push(...parts.map(parseFrame))
    if (parts.length > 0) this.#wake.resolve()
  }
}

const COMMENT = /^: (.*)$/
const EVENT = /^(?:id: (\d+)\n)?event: ([a-z_]+)\ndata: (\{.*\})$/

function parseFrame(text: string): Frame {
  const [, comment] = COMMENT.exec(text) ?? []
  if (comment !== undefined) return { comment }
  const [, id, event, data] = EVENT.exec(text) ?? []
  if (event === undefined || data === undefined) throw new Error(`not a frame: ${JSON.stringify(text)}`)
  return {
    ...(id !== undefined && { id: Number(id) }),
    event,
    data: JSON.parse(data) as Record<string, unknown>,
  }
}
