import { Refusal } from '#lib/browser/requests.ts'
import { siteClock } from '#lib/browser/site-clock.ts'
import { createValue, type Readable } from '#lib/browser/value.ts'
import type { ComparisonAnswer, WorldPreviewAnswer } from '#lib/server/operations/studio/worlds.ts'
import { errorLines } from '#lib/ui/world/error-messages.ts'
import type { PreviewView } from '#lib/views/world.ts'
import { type Content, choiceErrorLines, packFiles, type WorldFiles } from './files.ts'
import { type Problem, readProblem, refusalLines } from './problems.ts'

/** The current step of processing a bundle, with its progress. */
export type Work =
  | { readonly doing: 'reading' | 'checking' | 'opening' }
  | { readonly doing: 'packing' | 'sending'; readonly share: number }

/** A valid bundle, running. */
export interface Previewed {
  readonly answer: WorldPreviewAnswer
  readonly view: PreviewView
  readonly bundle: Blob
  /** Differences from the World that it replaces. */
  readonly diff: ComparisonAnswer | undefined
}

export type Publishing =
  | { readonly at: 'not yet' }
  | { readonly at: 'under way'; readonly share: number }
  | { readonly at: 'refused'; readonly lines: readonly string[] }
  | { readonly at: 'done'; readonly slug: string }

export interface EditorState {
  /** Undefined until something is opened. */
  readonly files: WorldFiles | undefined
  /** The files that another choice took the place of. */
  readonly before: WorldFiles | undefined
  /** Path of the file that was opened last. */
  readonly open: string | undefined
  /** Whether this browser stores the files, as far as it is known. */
  readonly isStored: boolean
  readonly work: Work | undefined
  readonly problems: readonly Problem[]
  /** The last valid preview. */
  readonly previewed: Previewed | undefined
  /** Whether the preview is of the files as they are. */
  readonly isCurrent: boolean
  readonly hasExpired: boolean
  readonly publishing: Publishing
}

/** Requests of the editor to the site. They throw Refusal and NoAnswer. */
export interface EditorSite {
  startPreview(
    bundle: Blob,
    onShare: (share: number) => void,
    signal: AbortSignal,
  ): Promise<WorldPreviewAnswer>
  fetchPreview(id: string): Promise<PreviewView>
  endPreview(id: string): void
  /** Undefined for a new World. */
  compare(bundle: Blob): Promise<ComparisonAnswer | undefined>
  /** @returns the slug. */
  publish(bundle: Blob, onShare: (share: number) => void): Promise<string>
  /** @returns whether an account is signed in, after the wallet dialog where there is none. */
  signIn(): Promise<boolean>
}

/** Store in which the files outlive the page. */
export interface DraftStore {
  read(): Promise<WorldFiles | undefined>
  /** @returns whether they are stored. */
  write(files: WorldFiles): Promise<boolean>
  drop(): Promise<void>
}

/** After the last key: long enough that a word is not sent letter by letter. */
const DEBOUNCE_MS = 900

const EMPTY: EditorState = {
  files: undefined,
  before: undefined,
  open: undefined,
  isStored: true,
  work: undefined,
  problems: [],
  previewed: undefined,
  isCurrent: false,
  hasExpired: false,
  publishing: { at: 'not yet' },
}

/** The files of one World that is not published, from their choice over previews to publication. */
export class BundleEditor {
  readonly #state = createValue(EMPTY)
  readonly #site: EditorSite
  readonly #store: DraftStore
  #running: AbortController | undefined
  #debounce: ReturnType<typeof setTimeout> | undefined
  #expiry: ReturnType<typeof setTimeout> | undefined
  #isStoring = false
  #isUnstored = false

  constructor(site: EditorSite, store: DraftStore) {
    this.#site = site
    this.#store = store
  }

  get state(): Readable<EditorState> {
    return this.#state
  }

  /** Opens what this browser stores, else what is read; nothing where there is neither. */
  async resume(read?: () => Promise<WorldFiles>): Promise<void> {
    const last = this.#running
    const stored = await this.#store.read()
    // Something was chosen meanwhile.
    if (this.#running !== last) return
    if (stored) await this.#open(Promise.resolve(stored), undefined)
    else if (read) await this.#open(read(), undefined)
  }

  /** Opens what was chosen. The files before it can be taken back. */
  load(reading: Promise<WorldFiles>): Promise<void> {
    return this.#open(reading, this.#now.files ?? this.#store.read())
  }

  /** Takes the files back that were there before the last choice. */
  takeBack(): void {
    const { before, files } = this.#now
    if (before) void this.#open(Promise.resolve(before), files)
  }

  /** @param changes By path: the content of a file, new or not; undefined removes it. @param open File to open. */
  change(changes: ReadonlyMap<string, Content | undefined>, open = this.#now.open): void {
    const { files: last } = this.#now
    if (last === undefined) return
    const files = new Map(last.files)
    for (const [path, content] of changes) {
      if (content === undefined) files.delete(path)
      else files.set(path, content)
    }
    this.#set({ files: { name: last.name, files, leftOut: last.leftOut }, open, isCurrent: false })
    void this.#keep()
    clearTimeout(this.#debounce)
    this.#debounce = setTimeout(() => void this.preview(), DEBOUNCE_MS)
  }

  show(path: string): void {
    this.#set({ open: path })
  }

  /** Checks and runs the files as they are. The last valid preview stays until this one runs. */
  preview(): Promise<void> {
    return this.#run((signal) => this.#preview(signal))
  }

  async publish(): Promise<void> {
    const { previewed, isCurrent, publishing } = this.#now
    if (previewed === undefined || !isCurrent || publishing.at === 'under way') return
    if (!(await this.#site.signIn())) return
    const onShare = (share: number) => this.#set({ publishing: { at: 'under way', share } })
    onShare(0)
    try {
      const slug = await this.#site.publish(previewed.bundle, onShare)
      this.#set({ publishing: { at: 'done', slug } })
      await this.#store.drop()
    } catch (error) {
      this.#set({ publishing: { at: 'refused', lines: errorLines(error) } })
    }
  }

  /** Forgets the files, in this browser too. */
  async discard(): Promise<void> {
    this.close()
    this.#set(EMPTY)
    await this.#store.drop()
  }

  /** Ends what runs, and the preview. */
  close(): void {
    clearTimeout(this.#debounce)
    clearTimeout(this.#expiry)
    this.#running?.abort()
    const { previewed } = this.#now
    if (previewed) this.#site.endPreview(previewed.answer.id)
  }

  get #now(): EditorState {
    return this.#state.getState()
  }

  #set(change: Partial<EditorState>): void {
    this.#state.setState({ ...this.#now, ...change })
  }

  #open(
    reading: Promise<WorldFiles>,
    before: WorldFiles | Promise<WorldFiles | undefined> | undefined,
  ): Promise<void> {
    return this.#run(async (signal) => {
      this.#set({ problems: [], work: { doing: 'reading' } })
      const [files, last] = await Promise.all([reading, before])
      signal.throwIfAborted()
      this.#set({ files, before: last, open: undefined, isCurrent: false })
      void this.#keep()
      await this.#preview(signal)
    })
  }

  async #run(act: (signal: AbortSignal) => Promise<void>): Promise<void> {
    clearTimeout(this.#debounce)
    this.#running?.abort()
    const running = new AbortController()
    this.#running = running
    try {
      await act(running.signal)
    } catch (error) {
      if (!running.signal.aborted) this.#set({ problems: problemsOf(error) })
    }
    if (this.#running === running) this.#set({ work: undefined })
  }

  async #preview(signal: AbortSignal): Promise<void> {
    const { files, previewed: last } = this.#now
    if (files === undefined) return
    const doing = (work: Work) => signal.aborted || this.#set({ work })
    this.#set({ problems: [], publishing: { at: 'not yet' } })
    const bundle = await packFiles(files, (share) => doing({ doing: 'packing', share }))
    signal.throwIfAborted()
    const onShare = (share: number) => doing(share < 1 ? { doing: 'sending', share } : { doing: 'checking' })
    const answer = await this.#site.startPreview(bundle, onShare, signal)
    doing({ doing: 'opening' })
    const [view, diff] = await Promise.all([this.#site.fetchPreview(answer.id), this.#site.compare(bundle)])
    if (signal.aborted) {
      this.#site.endPreview(answer.id)
      return
    }
    this.#set({
      previewed: { answer, view, bundle, diff },
      isCurrent: this.#now.files === files,
      hasExpired: false,
    })
    if (last) this.#site.endPreview(last.answer.id)
    clearTimeout(this.#expiry)
    const ms = Date.parse(answer.expires_at) - siteClock.now()
    this.#expiry = setTimeout(() => this.#set({ hasExpired: true }), Math.max(0, ms))
  }

  /** Stores the files, once more where they changed meanwhile. */
  async #keep(): Promise<void> {
    this.#isUnstored = true
    if (this.#isStoring) return
    this.#isStoring = true
    for (let { files } = this.#now; files && this.#isUnstored; files = this.#now.files) {
      this.#isUnstored = false
      this.#set({ isStored: await this.#store.write(files) })
    }
    this.#isStoring = false
  }
}

function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof Refusal && error.status !== 401 && error.status !== 413) {
    return refusalLines(error.message || `The site refused it (${error.status}).`).map(readProblem)
  }
  return choiceErrorLines(error).map((text) => ({ file: undefined, place: undefined, text }))
}
