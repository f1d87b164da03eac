/** Steps of the picture at the top of the first page. */
export const WOVEN_STEPS = 36

/** What that picture is made of. Plain data: it travels from server to browser. */
export interface Woven {
  readonly connector: string
  /** As many values of each path. */
  readonly streams: readonly (readonly number[])[]
}
