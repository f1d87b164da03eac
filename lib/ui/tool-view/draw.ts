import { extentOf } from '#lib/engine/sound/extent.ts'
import { lineBox, linePath } from '#lib/ui/plots/line-path.ts'

interface Stream {
  readonly path: string
  readonly data: readonly number[]
}
interface Run {
  readonly connector_name: string
  readonly particles: readonly Stream[]
}
interface Plan {
  readonly outcome: 'planned' | 'invalid'
  readonly problems?: readonly { readonly kind: string; readonly name: string; readonly message: string }[]
  readonly currency?: string
  readonly items?: readonly {
    readonly kind: string
    readonly name: string
    readonly entry: object | null
    readonly gas: string
    readonly data_fee: string
  }[]
  readonly likely_fee_per_gas?: string
}
type Fields = Readonly<Record<string, unknown>>

/** Paths that are drawn; more is noise. */
const MAX_PATHS = 12
const SVG = 'http://www.w3.org/2000/svg'

/** Returns what a host shows of a result of a tool; a failure is its sentence. */
export function drawResult(result: Fields, input: Fields, openLink: (path: string) => void): Element[] {
  const content = (result.structuredContent ?? {}) as Fields
  if (result.isError === true) {
    const [first] = (result.content ?? []) as readonly Fields[]
    return [element('p', { role: 'alert' }, String(first?.text ?? 'The tool failed.'))]
  }
  if (Array.isArray(content.result)) {
    const run: Run = { connector_name: String(input.connector_name ?? 'Run'), particles: content.result }
    return [
      ...runOf(run, content.title),
      link('Open it on the site', connectorPath(run.connector_name), openLink),
    ]
  }
  if (Array.isArray(content.runs)) return comparisonOf(content.runs, openLink)
  if (content.outcome !== undefined) return planOf(content as unknown as Plan, input, openLink)
  return worldOf(content, openLink)
}

function connectorPath(name: string): string {
  return `/connectors/${encodeURIComponent(name)}`
}

function runOf({ connector_name, particles }: Run, title: unknown): Element[] {
  const shown = particles.slice(0, MAX_PATHS)
  const left = particles.length - shown.length
  return [
    element('h1', {}, typeof title === 'string' ? `${title} (${connector_name})` : connector_name),
    ...shown.map((stream) => figureOf([stream])),
    ...(left > 0 ? [element('p', {}, `${left} more paths are not drawn.`)] : []),
  ]
}

function comparisonOf(runs: readonly Run[], openLink: (path: string) => void): Element[] {
  const [first, ...others] = runs
  if (first === undefined) return []
  const most = Math.min(MAX_PATHS, Math.max(...runs.map(({ particles }) => particles.length)))
  const figures = Array.from({ length: most }, (_, index) => {
    const streams = runs.flatMap(({ particles }) => particles[index] ?? [])
    return figureOf(streams)
  })
  return [
    element('h1', {}, runs.map(({ connector_name }) => connector_name).join(' and ')),
    ...others.map((other) => element('p', {}, `${other.connector_name}: ${differenceOf(first, other)}`)),
    ...figures,
    ...runs.map(({ connector_name }) =>
      link(`Open ${connector_name}`, connectorPath(connector_name), openLink),
    ),
  ]
}

function differenceOf(one: Run, other: Run): string {
  if (one.particles.length !== other.particles.length) {
    return `${other.particles.length} paths, where ${one.connector_name} has ${one.particles.length}.`
  }
  let [differing, all] = [0, 0]
  for (const [index, { data }] of one.particles.entries()) {
    const against = other.particles[index]?.data ?? []
    for (let step = 0; step < Math.max(data.length, against.length); step++) {
      all += 1
      if (data[step] !== against[step]) differing += 1
    }
  }
  return differing === 0
    ? `the same ${all} values as ${one.connector_name}.`
    : `${differing} of ${all} values differ from ${one.connector_name}.`
}

function planOf(plan: Plan, input: Fields, openLink: (path: string) => void): Element[] {
  if (plan.outcome === 'invalid') {
    const problems = (plan.problems ?? []).map(({ kind, name, message }) => `${kind} ${name}: ${message}`)
    return [element('h1', {}, 'This cannot be published'), list(problems)]
  }
  const { items = [], currency = '', likely_fee_per_gas: fee = '0' } = plan
  const open = items.filter(({ entry }) => entry === null)
  const cost = open.reduce((sum, { gas, data_fee }) => sum + BigInt(gas) * BigInt(fee) + BigInt(data_fee), 0n)
  const name = String(input.name ?? '')
  const { title } = (input.words ?? {}) as { readonly title?: string }
  return [
    element('h1', {}, `Publish ${title === undefined ? name : `${title} (${name})`}`),
    list(
      items.map(
        ({ kind, name: item, entry }) =>
          `${kind} ${item}: ${entry === null ? 'to be published' : 'published'}`,
      ),
    ),
    element(
      'p',
      {},
      open.length === 0
        ? 'Everything is published already.'
        : `${open.length} to publish, for about ${inCurrency(cost)} ${currency} of gas. Names and code stay for ever.`,
    ),
    link(
      'Open it on the site',
      `/${String(input.kind ?? 'connector')}s/${encodeURIComponent(name)}`,
      openLink,
    ),
  ]
}

/** Wei as the currency, to four significant digits. */
function inCurrency(wei: bigint): string {
  return String(Number((Number(wei) / 1e18).toPrecision(4)))
}

function worldOf(world: Fields, openLink: (path: string) => void): Element[] {
  return [
    element('h1', {}, String(world.name ?? 'World')),
    ...(typeof world.description === 'string' ? [element('p', {}, world.description)] : []),
    element('p', {}, `Version ${String(world.version)}, by ${String(world.ownerId)}`),
    link('Open the World', `/worlds/${encodeURIComponent(String(world.slug))}`, openLink),
  ]
}

/** Lines of values over steps, with the same scale, and their range in words. */
function figureOf(streams: readonly Stream[]): Element {
  const steps = Math.max(0, ...streams.map(({ data }) => data.length))
  const extent = extentOf(streams.flatMap(({ data }) => data))
  const words = steps === 0 ? 'no values' : `${steps} steps, ${extent.min} to ${extent.max}`
  const label = `${streams.map(({ path }) => path).join(' and ')}: ${words}`
  const box = { viewBox: lineBox(steps), preserveAspectRatio: 'none' }
  const attributes = { ...box, role: 'img', 'aria-label': label }
  const picture = attributed(document.createElementNS(SVG, 'svg'), attributes)
  for (const [index, { data }] of streams.entries()) {
    if (data.length === 0) continue
    const { start, moves } = linePath(data, extent)
    const path = { d: `${start}l${moves.join(' ')}`, class: `line-${index}` }
    picture.append(attributed(document.createElementNS(SVG, 'path'), path))
  }
  const caption = element('figcaption', {}, '')
  caption.append(
    ...streams.map(({ path }, index) => element('span', { class: `line-${index}` }, path)),
    element('span', {}, words),
  )
  const figure = element('figure', {}, '')
  figure.append(picture, caption)
  return figure
}

function list(lines: readonly string[]): Element {
  const made = element('ul', {}, '')
  made.append(...lines.map((line) => element('li', {}, line)))
  return made
}

function link(label: string, path: string, openLink: (path: string) => void): Element {
  const button = element('button', { type: 'button' }, label)
  button.addEventListener('click', () => openLink(path))
  return button
}

function element(tag: string, attributes: Readonly<Record<string, string>>, text: string): Element {
  const made = attributed(document.createElement(tag), attributes)
  made.textContent = text
  return made
}

function attributed<Made extends Element>(made: Made, attributes: Readonly<Record<string, string>>): Made {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  return made
}
