import type { Identity } from '#lib/core/context/context.ts'

/** A request, independent of the server that received it. */
export interface ApiRequest {
  readonly method: string
  /** As it was sent, still percent-encoded. */
  readonly pathname: string
  /** With its `?`, or empty. */
  readonly search: string
  readonly headers: RequestHeaders
  /** Remote address of the connection; undefined where the server does not expose it. */
  readonly peer: string | undefined
  /** Null when the request has none. */
  readonly body: BodyReader | null
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal
  /** The account that was proved before the request was made; only requests made in this process have one. */
  readonly identity?: Identity | undefined
  /** Reserves memory for a response until the client has read it; false when there is none. Absent: unlimited. */
  readonly reserve?: (bytes: number) => boolean
}

/** Values by name in any case; null for absent ones. */
export type RequestHeaders = Pick<Headers, 'get' | 'has'>

/** A body stream. */
export interface BodyReader {
  /** Reads the next chunk; undefined at the end. Rejects when the connection breaks. */
  read(): Promise<Uint8Array | undefined>
  /** Discards the rest. Never waits for the client. */
  stop(): void
}
