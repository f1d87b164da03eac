/** One way in which a page can send something to a server of its choice. */
export interface Channel {
  readonly name: string
  /**
   * Runs in the World as a classic script. `host` is `127.0.0.1:<port>` of the trap, `http` its URL with a path, `ip`
   * and `port` its address outside of loopback.
   */
  readonly script?: string
  /** Runs as a module instead. */
  readonly module?: string
  /** Markup of the page; `{http}` and `{host}` stand for the trap. */
  readonly markup?: string
  /** Action of a person in the World, on the element `#act`. */
  readonly gesture?: 'click' | 'ctrl-enter' | 'alt-click' | 'ctrl-click' | 'shift-click' | 'middle-click'
  /** The World has the permission `browser.downloads`. */
  readonly downloads?: boolean
  /** Must have the page to itself, because unprotected it takes the page or its focus away. */
  readonly alone?: boolean
}
