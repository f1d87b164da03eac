/*
 * The wire form of server-sent events: one space after a field's name, data on one line, a blank line after each
 * frame.
 */

export interface EventFrame {
  /** What a client sends back as `Last-Event-ID`; a frame without one leaves the client's as it is. */
  readonly id?: number
  readonly event: string
  /** JSON. */
  readonly data: string
}

export function eventFrame({ id, event, data }: EventFrame): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`
}

export function commentFrame(text: string): string {
  return `: ${text}\n\n`
}
