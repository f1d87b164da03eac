import { stringToBytes } from 'viem/utils'
import { DEFAULT_TEMPO } from '#lib/engine/sound/arrangement.ts'
import { soundOf } from '#lib/engine/sound/presented-sound.ts'
import type { ConnectorSound } from '#lib/engine/sound/settings.ts'
import { type AuthorMetadata, parseAuthorMetadata } from '#lib/protocol/author-metadata.ts'
import type { Tree } from '#lib/protocol/entity-tree.ts'
import type { KnobWords } from '#lib/protocol/presentation.ts'
import { TEMPO } from '#lib/protocol/sound-limits.ts'
import { type BoundSet, boundSet, othersOf, primaryOf, scalarsOf } from '#lib/protocol/world-slots.ts'
import { createTransport, DEFAULT_VOLUME } from '#lib/studio/sound/transport.ts'
import { followTransport } from '#lib/studio/sound/world-transport.ts'
import { formatOf, runPayload, withSlots } from '#lib/ui/world/run-payload.ts'
import type { MissingWorld, PieceData, WorldData } from '../../data.ts'
import { checkPiece, type Finding, treeOf, verdictOf } from './check-piece.ts'
import { button, element, facts, slider } from './elements.ts'
import { fileCalls } from './file-calls.ts'
import { createPicture } from './picture.ts'
import { type RunAnswer, type Stream, startTasks, type Tasks } from './tasks.ts'
import { numberAt, type Turn } from './turned-tree.ts'
import { mountFileWorld, type PlayedWorld } from './world.ts'

const MISSING: Readonly<Record<MissingWorld, string>> = {
  deleted: 'The World of this piece was deleted by its owner: its values are drawn without it.',
  unknown:
    'The site that wrote this file did not have the World of this piece: its values are drawn without it.',
  too_large: 'The World of this piece is too large for a file: its values are drawn without it.',
}

/** Values of a path that are written out. */
const MAX_WRITTEN = 4096
const MAX_PATHS = 64

/** Opens the page of the file. */
export function openPlayer(): void {
  const piece = dataOf<PieceData>('weft-piece') as PieceData
  const world = dataOf<WorldData>('weft-world')
  const program = document.currentScript?.textContent ?? ''
  const words = parseAuthorMetadata(stringToBytes(piece.words)) ?? {}
  const name = piece.entities[0]?.[1] ?? ''
  document.title = words.title ?? name
  let tree: Tree | undefined
  try {
    tree = treeOf(piece)
  } catch {
    // The check says what is wrong with it.
  }
  const tasks = startTasks(program, { piece, world })
  document.body.append(new Player({ piece, world, words, name, tree, tasks }).root)
}

function dataOf<T>(id: string): T | undefined {
  return (JSON.parse(document.getElementById(id)?.textContent ?? 'null') as T | null) ?? undefined
}

interface Opened {
  readonly piece: PieceData
  readonly world: WorldData | undefined
  readonly words: AuthorMetadata
  readonly name: string
  /** Undefined where the code of the file is not what belongs at its addresses. */
  readonly tree: Tree | undefined
  readonly tasks: Tasks
}

/** The piece as it plays, with what its author made adjustable. */
class Player {
  readonly root = element('main')
  readonly #opened: Opened
  readonly #transport = createTransport()
  readonly #stage = element('div', { class: 'stage' })
  readonly #notice = element('p', { role: 'status' })
  readonly #values = element('pre', { class: 'values' })
  readonly #picture = createPicture()
  readonly #turns = new Map<string, Turn>()
  readonly #slotRuns = new Map<string, Promise<RunAnswer>>()
  #world: PlayedWorld | undefined
  #streams: readonly Stream[] = []
  #sound: ConnectorSound
  /** Runs that were asked for. */
  #runs = 0
  #isRunning = false
  /** True where a reader has turned numbers, so that the newest values are those of another connector than the published one. */
  #isTurned = false
  /** Why the newest run has no values. */
  #problem = ''

  constructor(opened: Opened) {
    this.#opened = opened
    this.#sound = opened.words.present ? soundOf(opened.words.present) : {}
    const { piece, words, name } = opened
    this.root.append(
      element('p', { class: 'eyebrow' }, `A piece of Weft: ${name}`),
      element('h1', {}, words.title ?? name),
      element('p', { class: 'author' }, `by ${piece.publication.author}`),
      this.#stage,
      this.#bar(),
      this.#knobs(),
      this.#notice,
      ...(words.description ? [element('p', { class: 'description' }, words.description)] : []),
      this.#facts(),
      this.#check(),
      folded('Values', this.#values),
      folded('Parts and their addresses', this.#parts()),
    )
    this.#say(this.#standing())
    this.#mount()
    void this.#run()
  }

  #say(sentence: string): void {
    this.#notice.textContent = sentence
  }

  /** Returns the notice that holds however the numbers are turned. */
  #standing(): string {
    const { missingWorld } = this.#opened.piece
    return missingWorld ? MISSING[missingWorld] : ''
  }

  #mount(): void {
    const { world, tasks, piece, tree } = this.#opened
    const frame = document.getElementById('weft-frame')?.textContent ?? ''
    if (world === undefined || tree === undefined) {
      this.#stage.append(this.#picture.canvas)
      return
    }
    this.#world = mountFileWorld(this.#stage, world, frame, fileCalls(piece, tree, tasks), (message) =>
      this.#say(`The World reports: ${message}`),
    )
    followTransport(this.#transport, 'piece', (transport) => this.#world?.follow(transport))
  }

  /** Runs the piece with the numbers as they are turned. One at a time: a drag would queue more than the worker can run. */
  async #run(): Promise<void> {
    const { tasks, piece } = this.#opened
    this.#runs += 1
    if (this.#isRunning) return
    this.#isRunning = true
    try {
      let own: number
      do {
        own = this.#runs
        const turns = [...this.#turns.values()]
        const answer = await tasks
          .run({ count: piece.count, turns })
          .catch((error: Error): RunAnswer => ({ problem: error.message }))
        this.#isTurned = turns.length > 0
        this.#show(answer)
      } while (own !== this.#runs)
    } finally {
      this.#isRunning = false
    }
  }

  #show(answer: RunAnswer): void {
    if ('problem' in answer) {
      this.#problem = answer.problem
      this.#say(answer.problem)
      return
    }
    if (this.#problem !== '' && this.#notice.textContent === this.#problem) this.#say(this.#standing())
    this.#problem = ''
    this.#streams = answer.streams
    this.#values.textContent = answer.streams
      .slice(0, MAX_PATHS)
      .map(({ path, data }) => `${path} ${data.slice(0, MAX_WRITTEN).join(' ')}`)
      .join('\n')
    this.#picture.draw(answer.streams)
    this.#load()
    this.#push()
  }

  #load(): void {
    this.#transport.load({
      key: 'piece',
      name: this.#opened.name,
      streams: this.#streams,
      sound: this.#sound,
      onSound: () => undefined,
    })
  }

  #push(): void {
    const { world, name, piece } = this.#opened
    if (world === undefined) return
    const streams = this.#streams
    const needs = {
      acceptedConnectorSets: world.acceptedConnectorSets,
      acceptedFormatHashes: world.acceptedFormatHashes,
    }
    const choices = this.#opened.words.present?.world?.slots ?? []
    const set = boundSet(needs, primaryOf({ name, scalars: scalarsOf(streams) }, needs), choices)
    const address = this.#isTurned ? undefined : piece.publication.address
    const formatHash = formatOf(streams)
    const payload = runPayload(
      { connector: name, count: piece.count, streams, dynamicRi: [], formatHash, address },
      'studio-plugin',
    )
    if (set === undefined) this.#world?.push(payload)
    else void this.#others(set).then((others) => this.#world?.push(withSlots(payload, set, others)))
  }

  /** Streams of the connectors that feed other slots of the World, by name: each runs once. */
  async #others(set: BoundSet): Promise<ReadonlyMap<string, readonly Stream[]>> {
    const { tasks, piece } = this.#opened
    const inFile = new Set(piece.slots?.map(([root]) => root?.[1]))
    const runs = othersOf(set).flatMap((connector) => {
      if (!inFile.has(connector)) return []
      const run = this.#slotRuns.get(connector) ?? tasks.run({ connector, count: piece.count, turns: [] })
      this.#slotRuns.set(connector, run)
      return [run.then((answer) => ['streams' in answer ? answer.streams : [], connector] as const)]
    })
    return new Map((await Promise.all(runs)).map(([streams, connector]) => [connector, streams]))
  }

  #bar(): HTMLElement {
    const transport = this.#transport
    const position = element('span', { class: 'position' })
    const play = button('Play', () => transport.toggle())
    transport.subscribe(() => {
      const { playing, problem } = transport.getState()
      play.textContent = playing ? 'Stop' : 'Play'
      if (problem !== '') this.#say(problem)
    })
    transport.playhead.subscribe(() => {
      const { step, playing } = transport.playhead.getState()
      position.textContent = `step ${step + 1} of ${this.#opened.piece.count}`
      this.#picture.mark(playing ? step : undefined)
    })
    const tempo = slider(
      'Tempo',
      { ...TEMPO, value: Math.round(this.#sound.bpm ?? DEFAULT_TEMPO) },
      (bpm) => {
        this.#sound = { ...this.#sound, bpm }
        this.#load()
      },
    )
    const volume = slider('Volume', { min: 0, max: 100, value: DEFAULT_VOLUME * 100 }, (value) =>
      transport.setVolume(value / 100),
    )
    return element('div', { class: 'bar' }, play, position, tempo, volume)
  }

  #knobs(): HTMLElement {
    const { words, tree } = this.#opened
    const knobs = words.present?.knobs ?? []
    return element(
      'div',
      { class: 'knobs' },
      ...knobs.flatMap((knob) => (tree ? this.#knob(knob, tree) : [])),
    )
  }

  #knob({ name, at, min, max }: KnobWords, tree: Tree): HTMLElement[] {
    const value = numberAt(tree, at)
    if (value === undefined) return []
    return [
      slider(name, { min, max, value }, (next) => {
        this.#turns.set(at, { at, value: next })
        void this.#run()
      }),
    ]
  }

  #facts(): HTMLElement {
    const { piece, words, name, world } = this.#opened
    const { publication, chain } = piece
    return facts([
      ['Piece', name],
      ...(words.licence ? [['Licence', words.licence] as const] : []),
      ['Author', publication.author],
      ['Chain', chain.name === undefined ? String(chain.id) : `${chain.name} (${chain.id})`],
      ['Address', publication.address],
      ['Content hash', publication.contentHash],
      ['Registry', piece.registry],
      ['Published', `block ${publication.block}, transaction ${publication.transaction}`],
      ...(world ? [['World', `${world.name}, bundle ${world.bundleHash}`] as const] : []),
      ...(words.madeFrom ?? []).map((from) => ['Made from', `${from.kind} ${from.name}`] as const),
    ])
  }

  #check(): HTMLElement {
    const { piece, world, tasks } = this.#opened
    const list = element('ul')
    const verdict = element('p', { role: 'status', class: 'verdict' })
    const check = button('Check', async () => {
      verdict.textContent = 'Checking…'
      let findings: readonly Finding[]
      try {
        findings = await tasks.check().catch(() => checkPiece(piece, world))
      } catch (error) {
        verdict.textContent = `This browser cannot check it (${error}). Try another one.`
        return
      }
      list.replaceChildren(
        ...findings.map(({ holds, sentence }) =>
          element(
            'li',
            {},
            `${holds === undefined ? 'Open' : holds ? 'Holds' : 'Does not hold'}. ${sentence}`,
          ),
        ),
      )
      verdict.textContent = verdictOf(piece, findings)
    })
    const lead =
      'Hashes the code, words and World in this file, computes the values of the piece as published again, and compares.'
    return element(
      'section',
      { class: 'check' },
      element('h2', {}, 'Is it what it says?'),
      element('p', {}, lead),
      check,
      verdict,
      list,
    )
  }

  #parts(): HTMLElement {
    const { tree, piece } = this.#opened
    const parts = tree ? [...tree.entities] : []
    return element(
      'ul',
      {},
      ...parts.map(([address, { kind, name, code }]) =>
        element('li', {}, `${kind} ${name}: ${address}, ${code.length} bytes`),
      ),
      element('li', {}, `runner: ${piece.runner}`),
    )
  }
}

function folded(title: string, content: HTMLElement): HTMLElement {
  return element('details', {}, element('summary', {}, title), content)
}
