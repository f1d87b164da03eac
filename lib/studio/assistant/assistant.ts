import { createValue, type Readable } from '#lib/browser/value.ts'
import type { StudioStore } from '../document/store.ts'
import type { StudioDocument } from '../document/types.ts'
import { asData, documentData } from './describe.ts'
import type { Endpoint } from './endpoint.ts'
import { SYSTEM } from './prompt.ts'
import { EndpointError, type EndpointProblem } from './protocol/endpoint-error.ts'
import type { Message, ToolCall, ToolResult, Usage } from './protocol/messages.ts'
import { send } from './protocol/send.ts'
import { TOOLS } from './tools/index.ts'
import { type Hands, type Question, type Said, ToolError } from './tools/tool.ts'

/** Requests to the endpoint for one answer. */
export const MAX_TURNS = 24
/** Calls that one reply may make. */
const MAX_CALLS = 32
/** Messages of earlier answers that a prompt carries. */
const MAX_EARLIER = 40
const MAX_LABEL = 48

/** Part of an answer. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'deed'; readonly name: string; readonly state: 'running' | 'done' | 'refused' }

/** - `bounded`: it took as many turns as one answer may. */
export type Ending = 'running' | 'done' | 'stopped' | 'failed' | 'bounded' | 'cut'

export interface Answer {
  readonly id: number
  /** The person's. */
  readonly words: string
  readonly pieces: readonly Piece[]
  readonly ending: Ending
  readonly failure?: { readonly problem: EndpointProblem; readonly words: string } | undefined
  readonly usage: Usage
  /** The document that it led to; undefined while it has changed nothing. */
  readonly after?: StudioDocument | undefined
  /** Whether the person changed the document between two of its changes: they are steps of their own. */
  readonly isSplit?: boolean
}

export interface AssistantState {
  readonly answers: readonly Answer[]
  /** Open question to the person. */
  readonly question: Question | undefined
}

export interface Assistant extends Readable<AssistantState> {
  /** Answers the person's words, unless it is answering. */
  say(words: string): Promise<void>
  stop(): void
  /** Takes back what the last answer changed, and answers the same words again. */
  retry(): Promise<void>
  /** The person's reply to the question. */
  reply(allowed: boolean): void
  /** Whether undo takes the whole answer back now. */
  canTakeBack(answer: Answer): boolean
  takeBack(answer: Answer): void
}

/** Parts of the page that an assistant uses. */
export interface AssistantParts extends Omit<Hands, 'edit' | 'ask' | 'signal' | 'store' | 'picture'> {
  readonly store: StudioStore
  readonly picture: NonNullable<Hands['picture']>
  /** The reader's model; undefined before it is set up. */
  readonly endpoint: () => Endpoint | undefined
  /** Origins that the site's policy lets the page connect to. */
  readonly allowed: readonly string[]
}

const NO_USAGE: Usage = { input: 0, output: 0 }

/** A conversation about one document. */
export function createAssistant({ store, endpoint, allowed, picture, ...page }: AssistantParts): Assistant {
  const state = createValue<AssistantState>({ answers: [], question: undefined })
  /** Messages of answers that ended well, as the endpoint sees them. */
  let earlier: readonly Message[] = []
  let earlierApi: Endpoint['api'] | undefined
  let running: AbortController | undefined
  let decide: ((allowed: boolean) => void) | undefined

  const change = (id: number, next: (answer: Answer) => Partial<Answer>) =>
    state.setState({
      ...state.getState(),
      answers: state.getState().answers.map((each) => (each.id === id ? { ...each, ...next(each) } : each)),
    })
  const last = () => state.getState().answers.at(-1)

  const ask = (question: Question, signal: AbortSignal) =>
    new Promise<boolean>((resolve) => {
      const end = (isAllowed: boolean) => {
        signal.removeEventListener('abort', refuse)
        decide = undefined
        state.setState({ ...state.getState(), question: undefined })
        resolve(isAllowed)
      }
      const refuse = () => end(false)
      if (signal.aborted) return resolve(false)
      signal.addEventListener('abort', refuse)
      decide = end
      state.setState({ ...state.getState(), question })
    })

  /** Nothing is asked twice in one answer. */
  const askOnce = (signal: AbortSignal) => {
    const refused = new Set<string>()
    return async (question: Question) => {
      if (refused.has(question.sentence)) return false
      const isAllowed = await ask(question, signal)
      if (!isAllowed) refused.add(question.sentence)
      return isAllowed
    }
  }

  const handsOf = ({ id, words }: Answer, model: Endpoint, signal: AbortSignal): Hands => ({
    ...page,
    store,
    signal,
    picture: model.pictures ? picture : undefined,
    edit(command) {
      signal.throwIfAborted()
      const { after: onto, isSplit = false } = state.getState().answers.find((each) => each.id === id) ?? {}
      const before = store.getState().document
      store.edit(`Assistant: ${shortened(words)}`, command, { onto })
      const after = store.getState().document
      if (after !== before)
        change(id, () => ({ after, isSplit: isSplit || (onto !== undefined && onto !== before) }))
    },
    ask: askOnce(signal),
  })

  const answer = async (words: string) => {
    const model = endpoint()
    if (running !== undefined || model === undefined || words.trim() === '') return
    const controller = new AbortController()
    const { signal } = controller
    running = controller
    const id = (last()?.id ?? 0) + 1
    const fresh: Answer = { id, words, pieces: [], ending: 'running', usage: NO_USAGE }
    state.setState({ ...state.getState(), answers: [...state.getState().answers, fresh] })
    const hands = handsOf(fresh, model, signal)
    // Later prompts read the document anew.
    const shown = `${words}\n\nThe document now: ${asData('document', documentData(store.getState()))}`
    const own: Message[] = []
    if (earlierApi !== model.api) earlier = inWords(earlier)
    earlierApi = model.api
    try {
      let ending: Ending = 'bounded'
      for (let turn = 0; turn < MAX_TURNS && ending === 'bounded'; turn++) {
        const messages: readonly Message[] = [...earlier, { from: 'person', text: shown }, ...own]
        const prompt = { system: SYSTEM, messages, tools: TOOLS.map(({ spec }) => spec) }
        const { message, usage, cut } = await send(model, allowed, prompt, {
          signal,
          onText: (text) => change(id, ({ pieces }) => ({ pieces: withText(pieces, text) })),
        })
        change(id, (each) => ({ usage: sumOf(each.usage, usage) }))
        own.push(message)
        if (message.calls.length === 0) ending = cut === undefined ? 'done' : 'cut'
        else own.push({ from: 'tools', results: await resultsOf(message.calls, id, hands) })
      }
      const kept =
        ending === 'bounded'
          ? [...own, { from: 'model', text: 'I stop here.', calls: [], raw: undefined } as const]
          : own
      earlier = startingWithPerson([...earlier, { from: 'person', text: words }, ...kept])
      change(id, () => ({ ending }))
    } catch (error) {
      if (signal.aborted) {
        const text = 'The person stopped this answer; the document may hold a part of it.'
        earlier = startingWithPerson([
          ...earlier,
          { from: 'person', text: words },
          { from: 'model', text, calls: [], raw: undefined },
        ])
        change(id, ({ pieces }) => ({ ending: 'stopped', pieces: withoutRunning(pieces) }))
      } else {
        const { problem, message } =
          error instanceof EndpointError ? error : { problem: 'other' as const, message: String(error) }
        change(id, ({ pieces }) => ({
          ending: 'failed',
          pieces: withoutRunning(pieces),
          failure: { problem, words: message },
        }))
      }
    } finally {
      running = undefined
    }
  }

  /** One call after the other: each sees what the one before made. */
  const resultsOf = async (calls: readonly ToolCall[], id: number, hands: Hands): Promise<ToolResult[]> => {
    const results: ToolResult[] = []
    for (const [index, call] of calls.entries()) {
      if (index >= MAX_CALLS) {
        results.push({ id: call.id, text: `Not done: at most ${MAX_CALLS} calls at once.`, isError: true })
        continue
      }
      change(id, ({ pieces }) => ({
        pieces: [...pieces, { kind: 'deed', name: call.name, state: 'running' }],
      }))
      const { text, picture: drawn, isError } = await resultOf(call, hands)
      results.push({ id: call.id, text, isError, picture: drawn })
      change(id, ({ pieces }) => ({
        pieces: pieces.with(-1, { kind: 'deed', name: call.name, state: isError ? 'refused' : 'done' }),
      }))
    }
    return results
  }

  const canTakeBack = ({ after, isSplit }: Answer) =>
    after !== undefined &&
    isSplit !== true &&
    store.history().past.at(-1)?.after === after &&
    store.getState().document === after
  const takeBack = (taken: Answer) => {
    if (canTakeBack(taken)) store.undo()
  }

  return {
    getState: state.getState,
    subscribe: state.subscribe,
    say: answer,
    stop: () => running?.abort(),
    async retry() {
      const before = last()
      if (before === undefined || running !== undefined) return
      takeBack(before)
      state.setState({ ...state.getState(), answers: state.getState().answers.slice(0, -1) })
      await answer(before.words)
    },
    reply: (isAllowed) => decide?.(isAllowed),
    canTakeBack,
    takeBack,
  }
}

async function resultOf(
  { name, input }: ToolCall,
  hands: Hands,
): Promise<{ readonly text: string; readonly picture?: string | undefined; readonly isError: boolean }> {
  try {
    hands.signal.throwIfAborted()
    const found = TOOLS.find(({ spec }) => spec.name === name)
    if (found === undefined) throw new ToolError('There is no tool of that name.')
    if (input === undefined) throw new ToolError('The input is no JSON.')
    const said: Said = await Promise.race([found.run(input, hands), whenAborted(hands.signal)])
    return { ...(typeof said === 'string' ? { text: said } : said), isError: false }
  } catch (error) {
    hands.signal.throwIfAborted()
    if (error instanceof ToolError) return { text: error.message, isError: true }
    console.error(error)
    return { text: 'The tool failed.', isError: true }
  }
}

/** Rejects when the answer is stopped: nothing waits for a cancelled run. */
function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  )
}

function withText(pieces: readonly Piece[], text: string): readonly Piece[] {
  const end = pieces.at(-1)
  if (end?.kind !== 'text') return [...pieces, { kind: 'text', text }]
  return pieces.with(-1, { kind: 'text', text: end.text + text })
}

function withoutRunning(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.filter((each) => each.kind !== 'deed' || each.state !== 'running')
}

function sumOf(one: Usage, other: Usage): Usage {
  const cost =
    one.cost === undefined && other.cost === undefined ? undefined : (one.cost ?? 0) + (other.cost ?? 0)
  return { input: one.input + other.input, output: one.output + other.output, cost }
}

/** Texts alone: calls are in the spelling of the API that they were made in. */
function inWords(messages: readonly Message[]): readonly Message[] {
  return messages.flatMap((each): readonly Message[] => {
    if (each.from === 'tools' || each.text === '') return []
    return [each.from === 'person' ? each : { ...each, calls: [], raw: undefined }]
  })
}

/** The newest messages; results of tools make no sense without the calls before them. */
function startingWithPerson(messages: readonly Message[]): readonly Message[] {
  const recent = messages.slice(-MAX_EARLIER)
  const first = recent.findIndex(({ from }) => from === 'person')
  return first === -1 ? [] : recent.slice(first)
}

function shortened(words: string): string {
  const line = words.trim().replaceAll(/\s+/g, ' ')
  return line.length <= MAX_LABEL ? line : `${line.slice(0, MAX_LABEL - 1)}…`
}
