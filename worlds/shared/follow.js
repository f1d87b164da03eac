/* Where the sound of the page is, at every frame. */

/**
 * Calls back whenever that changes, and at each frame while it plays; never on a page without a transport.
 *
 * @param sdk Of the World.
 * @param {(transport: object) => void} follow Gets the page's message with `position`, in steps: between two messages it
 *   goes on by itself, up to the next step.
 */
export function followPage(sdk, follow) {
  let page
  let since = 0
  let isTicking = false

  function request() {
    if (isTicking || !page.playing) return
    isTicking = true
    requestAnimationFrame(tick)
  }

  function tick() {
    isTicking = false
    if (!page.playing) return
    const gone = ((performance.now() - since) / 60_000) * page.steps_a_minute
    follow({ ...page, position: page.step + Math.min(1, gone) })
    request()
  }

  sdk.onTransport((transport) => {
    page = transport
    since = performance.now()
    follow({ ...transport, position: transport.step })
    request()
  })
}
