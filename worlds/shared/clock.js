/* One clock: the page's transport where there is one, else a bar with Play and the position. */

import { followPage } from './follow.js'

/** Steps are sounded this much ahead of time. */
const AHEAD_SECONDS = 0.12
/** A step that is later than this, as after a sleep of the page, is not sounded any more. */
const LATE_SECONDS = 0.08

/**
 * @param sdk Of the World.
 * @param {HTMLFormElement} bar Gets the controls. They are hidden where the page has a transport, and the bar with them
 *   unless it has others.
 * @param {object} options
 * @param {number} options.tempo Steps a minute where the page has no transport.
 * @param {boolean} [options.loops] Whether it begins again by itself.
 * @param {() => number} [options.time] Seconds of the clock that steps are sounded by.
 * @param {(step: number, seconds: number) => void} [options.strike] Sounds a step at a time of that clock; never called
 *   while the page has a transport, which sounds them itself.
 * @param {(step: number) => void} [options.show] Called when a step begins, for what is seen of it.
 * @param {() => void} options.draw Called whenever the position has changed.
 * @param {() => void} [options.begin] Called by Play, while the press is handled.
 * @param {() => void} [options.end] Called when Play ends.
 */
export function createClock(sdk, bar, options) {
  const { loops = true, strike, show, draw, begin, end } = options
  const time = options.time ?? (() => performance.now() / 1000)
  const play = Object.assign(document.createElement('button'), { type: 'button', className: 'play' })
  const place = Object.assign(document.createElement('input'), { type: 'range', min: '0', value: '0' })
  place.setAttribute('aria-label', 'Step')
  bar.prepend(play, place)
  bar.addEventListener('submit', (event) => event.preventDefault())

  let steps = 0
  let perMinute = options.tempo
  let position = 0
  let voices
  /** While it plays by itself: when step 0 was, and the next steps to sound and to show, counted on through rounds. */
  let own
  /** What the page sent last. */
  let page
  let isTicking = false

  function secondsOfStep() {
    return 60 / perMinute
  }

  function tell() {
    play.textContent = own ? 'Pause' : 'Play'
    play.setAttribute('aria-pressed', String(own !== undefined))
    place.value = String(Math.floor(position))
  }

  function moved() {
    if (Number(place.value) !== Math.floor(position)) place.value = String(Math.floor(position))
    draw()
  }

  function tick() {
    isTicking = false
    if (!own) return
    advance()
    if (own) request()
  }

  function request() {
    if (isTicking) return
    isTicking = true
    requestAnimationFrame(tick)
  }

  function advance() {
    const now = time()
    const seconds = secondsOfStep()
    const last = loops ? Number.POSITIVE_INFINITY : steps
    for (; own.next < last && own.zero + own.next * seconds < now + AHEAD_SECONDS; own.next += 1) {
      const when = own.zero + own.next * seconds
      if (when > now - LATE_SECONDS) strike?.(own.next % steps, Math.max(now, when))
    }
    for (; own.shown < last && own.zero + own.shown * seconds <= now; own.shown += 1)
      show?.(own.shown % steps)
    const gone = Math.max(0, (now - own.zero) / seconds)
    if (gone >= last) {
      position = steps
      stop()
      return
    }
    position = gone % steps
    moved()
  }

  function start() {
    if (steps === 0 || own || page) return
    begin?.()
    if (position >= steps) position = 0
    const first = Math.ceil(position)
    own = { zero: time() + 0.06 - position * secondsOfStep(), next: first, shown: first }
    tell()
    request()
  }

  function stop() {
    if (!own) return
    own = undefined
    end?.()
    tell()
    draw()
  }

  function seek(to) {
    if (page) return
    position = Math.max(0, Math.min(steps, to))
    if (own)
      own = {
        zero: time() - position * secondsOfStep(),
        next: Math.ceil(position),
        shown: Math.ceil(position),
      }
    moved()
  }

  function setTempo(next) {
    perMinute = next
    if (own) seek(position)
  }

  play.addEventListener('click', () => (own ? stop() : start()))
  place.addEventListener('input', () => seek(Number(place.value)))
  addEventListener('keydown', (event) => {
    if (event.key !== ' ' || page || event.target.closest?.('button, input, select, [data-keys]')) return
    event.preventDefault()
    if (own) stop()
    else start()
  })
  followPage(sdk, (transport) => {
    if (page === undefined) {
      stop()
      play.hidden = true
      place.hidden = true
    }
    perMinute = transport.steps_a_minute
    voices = transport.voices
    const isNext = transport.playing && (!page?.playing || page.step !== transport.step)
    page = transport
    position = Math.min(steps, transport.position)
    if (isNext && transport.step < steps) show?.(transport.step)
    draw()
  })
  tell()

  return {
    /** Takes a new run; the position stays where it is, if the run reaches it. @param {number} count Steps. */
    load(count) {
      steps = count
      place.max = String(Math.max(0, count))
      if (position > count || count === 0) position = 0
      play.disabled = count === 0
      if (own && count === 0) stop()
      tell()
      draw()
    },
    start,
    stop,
    seek,
    setTempo,
    /** In steps, with the part of the present one that is over. */
    get position() {
      return position
    },
    get isPlaying() {
      return own !== undefined || page?.playing === true
    },
    get isFollowing() {
      return page !== undefined
    },
    /** What the page sounds; undefined without a transport. */
    get voices() {
      return voices
    },
    get secondsOfStep() {
      return secondsOfStep()
    },
  }
}
