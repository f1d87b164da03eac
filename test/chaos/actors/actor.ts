/** Somebody who works while faults happen, and remembers what was promised. */
export interface Actor {
  readonly name: string
  /** One piece of work. What the network refuses or leaves open is remembered, not thrown. */
  act(): Promise<void>
  /**
   * On a healthy network: brings to an end what was left open, and notes what is not as it was promised.
   *
   * @param all Looks at everything there ever was, not only at what was worked on since the last time.
   */
  settle(all: boolean): Promise<void>
}
