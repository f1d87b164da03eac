/** One page of a list. */
export interface Page {
  /** Counted from zero. */
  readonly page: number
  readonly limit: number
}
