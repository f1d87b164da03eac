/** Where traces go, and how many of them. */
export interface TraceSettings {
  /** Base address of an OTLP receiver over HTTP; without one no trace is made. */
  readonly endpoint: string | undefined
  /** Sent along with every batch, for receivers that ask for a key. */
  readonly headers: Readonly<Record<string, string>>
  /** Part of the traces that are kept, from 0 to 1; those begun by somebody else follow their decision. */
  readonly ratio: number
  /** What this process is called in traces. */
  readonly service: string
}
