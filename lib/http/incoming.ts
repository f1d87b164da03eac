/** A request as the operations see it, whichever server received it. */
export interface Incoming {
  readonly method: string
  /** As it was sent: its percent-encoding is the router's matter. */
  readonly pathname: string
  /** With its `?`, or empty. */
  readonly search: string
  readonly headers: RequestHeaders
  /** Address of the other end of the connection; undefined where the server does not say. */
  readonly peer: string | undefined
  /** Null when the request has none. */
  readonly body: BodyReader | null
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal
}

/** Values by name in any case; null for what was not sent. */
export type RequestHeaders = Pick<Headers, 'get' | 'has'>

/** A body as it arrives. */
export interface BodyReader {
  /** The next bytes; undefined at the end. Rejects when the body breaks off. */
  read(): Promise<Uint8Array | undefined>
  /** Gives up what was not read. Never waits for the client. */
  stop(): void
}
