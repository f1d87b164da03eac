/* `<weft-run href="…">`: shows a run on any web page, and verifies it there. Entry of a script of its own. */

import type { ParticleStream } from '../../../protocol/particles.ts'
import { newestRunHref, runHref } from '../../../protocol/run-link.ts'
import { runOfAddress, type VerifiedRun, verifyRun } from './verify.ts'

const MARKS = { proven: '✓ Verified here', refuted: '✗ Refuted', undecided: '? Not verified' } as const
const LASTING = { input: 're-checkable for ever', block: 'depends on the block' } as const
const [MAX_LANES, MAX_POINTS, MAX_LISTED] = [12, 1024, 1024]

// Colours are those of the page around it, so that both its themes suit.
const STYLE = `
:host { display: block; font: inherit; color: inherit; }
figure { margin: 0; border: 1px solid color-mix(in srgb, currentColor 30%, transparent); border-radius: 6px; padding: .75em; }
figcaption { display: flex; flex-wrap: wrap; gap: .25em 1em; align-items: baseline; }
a { color: inherit; }
.name { font-weight: 600; overflow-wrap: anywhere; }
.facts { opacity: .75; flex: 1 0 auto; }
.mark { border: 1px solid; border-radius: 1em; padding: .1em .7em; text-decoration: none; white-space: nowrap; }
.mark:hover, .mark:focus-visible { text-decoration: underline; }
.mark[data-verdict=refuted] { background: #a3162c; border-color: #a3162c; color: #fff; }
.mark[data-verdict=proven] { background: #14663f; border-color: #14663f; color: #fff; }
svg { display: block; width: 100%; margin: .75em 0; }
polyline { fill: none; stroke: currentColor; stroke-width: 1.5; vector-effect: non-scaling-stroke; stroke-linejoin: round; }
details { margin-top: .4em; }
summary { cursor: pointer; width: fit-content; }
p { margin: .4em 0 0; overflow-wrap: anywhere; }
dl { margin: .4em 0 0; max-height: 12em; overflow: auto; font: .85em ui-monospace, monospace; }
dt { font-weight: 600; overflow-wrap: anywhere; }
dd { margin: 0 0 .5em; overflow-wrap: anywhere; }
`

class WeftRun extends HTMLElement {
  static readonly observedAttributes = ['href', 'certificate']
  #round = 0

  connectedCallback(): void {
    void this.#show()
  }

  disconnectedCallback(): void {
    this.#round++
  }

  attributeChangedCallback(): void {
    if (this.isConnected) void this.#show()
  }

  async #show(): Promise<void> {
    const mine = ++this.#round
    // Attributes that are set one after the other are one change.
    await Promise.resolve()
    if (mine !== this.#round) return
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(STYLE)
    root.adoptedStyleSheets = [sheet]
    const run = runOfAddress(absolute(this.getAttribute('href') ?? ''))
    if (run === undefined) {
      root.replaceChildren(element('p', {}, '<weft-run>: href is not the address of a run.'))
      return
    }
    const { site, link } = run
    const mark = element('a', { class: 'mark', href: site + proofHref(link) }, 'Verifying…')
    const status = element('span', { role: 'status' }, mark)
    const facts = element('span', { class: 'facts' }, particles(link.count))
    const figure = element(
      'figure',
      {},
      element(
        'figcaption',
        {},
        element('span', { class: 'name' }, link.connector),
        facts,
        element('a', { href: site + runHref(link) }, `Play on ${new URL(site).host}`),
        status,
      ),
    )
    root.replaceChildren(figure)
    const given = this.getAttribute('certificate')
    const found = await verifyRun(
      run,
      given === null || given.trimStart().startsWith('{') ? given : absolute(given),
    )
    if (mine !== this.#round) return
    mark.textContent = MARKS[found.verdict]
    mark.dataset.verdict = found.verdict
    const size = found.streams && `${counted(found.streams.length, 'path')}, ${particles(link.count)} each`
    const lasting = found.dependsOn && LASTING[found.dependsOn]
    facts.textContent = [size ?? particles(link.count), ...(lasting ? [lasting] : [])].join(', ')
    figure.append(...partsOf(found))
  }
}

/** The page that has the proof panel: of a run on chain. */
function proofHref(link: Parameters<typeof runHref>[0]): string {
  return `${link.block ? runHref(link) : newestRunHref(link)}#provenance`
}

function partsOf({ verdict, sentence, streams }: VerifiedRun): Element[] {
  const words = element('p', {}, sentence)
  return [
    ...(streams
      ? [plot(streams), element('details', {}, element('summary', {}, 'Values'), values(streams))]
      : []),
    verdict === 'proven' ? element('details', {}, element('summary', {}, 'What is proven'), words) : words,
  ]
}

/** A lane for each path, each of its own scale. */
function plot(streams: readonly ParticleStream[]): Element {
  const shown = streams.slice(0, MAX_LANES)
  const label = `${counted(streams.length, 'path')}, the first ${shown.length} drawn`
  const height = 36 * shown.length
  const lines = shown.map(({ data }, lane) => {
    const every = Math.ceil(data.length / MAX_POINTS)
    const [low, high] = data.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [2 ** 32, 0])
    const points = Array.from({ length: Math.ceil(data.length / every) }, (_, i) => {
      const x = (600 * i * every) / Math.max(1, data.length - 1)
      const y = 36 * lane + 33 - (30 * ((data[i * every] as number) - low)) / Math.max(1, high - low)
      return `${x.toFixed(1)},${y.toFixed(1)}`
    })
    return drawn('polyline', { points: points.join(' ') })
  })
  const svg = { viewBox: `0 0 600 ${height}`, height: String(height), preserveAspectRatio: 'none' }
  return drawn('svg', { ...svg, role: 'img', 'aria-label': label }, ...lines)
}

function values(streams: readonly ParticleStream[]): Element {
  const rows = streams
    .slice(0, 64)
    .flatMap(({ path, data }) => [
      element('dt', {}, path),
      element('dd', {}, data.subarray(0, MAX_LISTED).join(' ') + (data.length > MAX_LISTED ? ' …' : '')),
    ])
  // Scrolled by keys, too.
  return element('dl', { tabindex: '0' }, ...rows)
}

type Attributes = Readonly<Record<string, string>>

function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  return filled(document.createElement(tag), attributes, children)
}

function drawn(tag: string, attributes: Attributes, ...children: Node[]): Element {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children)
}

function filled<E extends Element>(one: E, attributes: Attributes, children: (Node | string)[]): E {
  for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value)
  one.append(...children)
  return one
}

function absolute(address: string): string {
  return URL.canParse(address, document.baseURI) ? new URL(address, document.baseURI).href : ''
}

function particles(count: number): string {
  return counted(count, 'particle')
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

// A page may load the script twice.
if (customElements.get('weft-run') === undefined) customElements.define('weft-run', WeftRun)
