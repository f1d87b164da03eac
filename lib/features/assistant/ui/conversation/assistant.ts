import { createValue, type Readable } from '#lib/browser/value.ts'
import type { StudioStore } from '#lib/studio/document/store.ts'
import type { StudioDocument } from '#lib/studio/document/types.ts'
import { dataBlock, documentData } from './describe.ts'
import type { Endpoint } from './endpoint.ts'
import { SYSTEM } from './prompt.ts'
import { EndpointError, type EndpointProblem } from './protocol/endpoint-error.ts'
import type { Message, ToolCall, ToolResult, Usage } from './protocol/messages.ts'
import { send } from './protocol/send.ts'
import { CONFIRM_TOOLS } from './tools/confirm-tools.ts'
import { EDIT_TOOLS } from './tools/edit-tools.ts'
import { READ_TOOLS } from './tools/read-tools.ts'
import { type Question, type Tool, type ToolContext, ToolError, type ToolOutput } from './tools/tool.ts'

/** Everything that a model can do in the studio. */
const TOOLS: readonly Tool[] = [...READ_TOOLS, ...EDIT_TOOLS, ...CONFIRM_TOOLS]

/** Requests to the endpoint for one answer. */
export const MAX_TURNS = 24
/** Calls that one reply may make. */
const MAX_CALLS = 32
/** Messages of earlier answers that a prompt carries. */
const MAX_EARLIER = 40
const MAX_LABEL = 48

/** Part of an answer. */
export type AnswerPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly name: string; readonly state: 'running' | 'done' | 'refused' }

/**
 * - `bounded`: it took as many turns as one answer may.
 * - `cut`: the model ended early.
 */
export type AnswerStatus = 'running' | 'done' | 'stopped' | 'failed' | 'bounded' | 'cut'

export interface Answer {
  readonly id: number
  /** The person's. */
  readonly words: string
  readonly parts: readonly AnswerPart[]
  readonly status: AnswerStatus
  /** With `failed`: the problem, and the endpoint's own text about it. */
  readonly failure?: { readonly problem: EndpointProblem; readonly detail: string } | undefined
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
  /** Answers the person's words, unless an answer is under way. */
  submit(words: string): Promise<void>
  stop(): void
  /** Takes back what the last answer changed, and answers the same words again. */
  retry(): Promise<void>
  /** The person's reply to the question. */
  reply(allowed: boolean): void
  /** True while one undo reverts the whole answer. */
  canUndo(answer: Answer): boolean
  undo(answer: Answer): void
  /** Begins a new conversation: the next answer knows the document alone. */
  clear(): void
}

/** The page as an assistant uses it. */
export interface AssistantPage extends Omit<ToolContext, 'edit' | 'ask' | 'signal' | 'store' | 'picture'> {
  readonly store: StudioStore
  readonly picture: NonNullable<ToolContext['picture']>
  /** The reader's model; undefined before it is set up. */
  readonly endpoint: () => Endpoint | undefined
  /** Origins that the site's policy lets the page connect to. */
  readonly allowed: readonly string[]
}

const NO_USAGE: Usage = { input: 0, output: 0 }

/** A conversation about one document. */
export function createAssistant({ store, endpoint, allowed, picture, ...page }: AssistantPage): Assistant {
  const state = createValue<AssistantState>({ answers: [], question: undefined })
  /** Messages of earlier answers, as the endpoint receives them. */
  let earlier: readonly Message[] = []
  /** The same before the last answer, which Retry takes back. */
  let beforeLast: readonly Message[] = []
  /** API and address that they came from. */
  let earlierFrom: string | undefined
  let running: AbortController | undefined
  let resolveQuestion: ((isAllowed: boolean) => void) | undefined

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
        resolveQuestion = undefined
        state.setState({ ...state.getState(), question: undefined })
        resolve(isAllowed)
      }
      const refuse = () => end(false)
      if (signal.aborted) return resolve(false)
      signal.addEventListener('abort', refuse)
      resolveQuestion = end
      state.setState({ ...state.getState(), question })
    })

  /** A question that the person refused is not repeated in the same answer. */
  const askOnce = (signal: AbortSignal) => {
    const refused = new Set<string>()
    return async (question: Question) => {
      if (refused.has(question.sentence)) return false
      const isAllowed = await ask(question, signal)
      if (!isAllowed) refused.add(question.sentence)
      return isAllowed
    }
  }

  const contextFor = ({ id, words }: Answer, model: Endpoint, signal: AbortSignal): ToolContext => ({
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

  const submit = async (words: string) => {
    const model = endpoint()
    if (running !== undefined || model === undefined || words.trim() === '') return
    const controller = new AbortController()
    const { signal } = controller
    running = controller
    const id = (last()?.id ?? 0) + 1
    const fresh: Answer = { id, words, parts: [], status: 'running', usage: NO_USAGE }
    state.setState({ ...state.getState(), answers: [...state.getState().answers, fresh] })
    const context = contextFor(fresh, model, signal)
    // Only in this answer's prompts: later ones carry a newer document.
    const question = `${words}\n\nThe document now: ${dataBlock('document', documentData(store.getState()))}`
    const own: Message[] = []
    /** Unless the conversation was ended meanwhile. */
    const remember = (messages: readonly Message[]) => {
      if (last()?.id === id) earlier = recentMessages([...earlier, ...messages])
    }
    const from = `${model.api} ${model.url}`
    if (earlierFrom !== from) earlier = textsOf(earlier)
    earlierFrom = from
    beforeLast = earlier
    try {
      let status: AnswerStatus = 'bounded'
      for (let turn = 0; turn < MAX_TURNS && status === 'bounded'; turn++) {
        const messages: readonly Message[] = [...earlier, { from: 'person', text: question }, ...own]
        const prompt = { system: SYSTEM, messages, tools: TOOLS.map(({ spec }) => spec) }
        const { message, usage, cut } = await send(model, allowed, prompt, {
          signal,
          onText: (text) => change(id, ({ parts }) => ({ parts: withText(parts, text) })),
        })
        change(id, (each) => ({ usage: sumOf(each.usage, usage) }))
        own.push(message)
        if (message.calls.length === 0) status = cut === undefined ? 'done' : 'cut'
        else own.push({ from: 'tools', results: await resultsOf(message.calls, id, context) })
      }
      const complete =
        status === 'bounded'
          ? [...own, { from: 'model', text: 'I stop here.', calls: [], raw: undefined } as const]
          : own
      remember([{ from: 'person', text: words }, ...complete])
      change(id, () => ({ status }))
    } catch (error) {
      if (signal.aborted) {
        const text = 'The person stopped this answer; the document may hold a part of it.'
        remember([
          { from: 'person', text: words },
          { from: 'model', text, calls: [], raw: undefined },
        ])
        change(id, ({ parts }) => ({ status: 'stopped', parts: withoutRunning(parts) }))
      } else {
        const { problem, message } =
          error instanceof EndpointError ? error : { problem: 'other' as const, message: String(error) }
        change(id, ({ parts }) => ({
          status: 'failed',
          parts: withoutRunning(parts),
          failure: { problem, detail: message },
        }))
      }
    } finally {
      running = undefined
    }
  }

  /** Runs calls in order: each reads the document that the one before changed. */
  const resultsOf = async (
    calls: readonly ToolCall[],
    id: number,
    context: ToolContext,
  ): Promise<ToolResult[]> => {
    const results: ToolResult[] = []
    for (const [index, call] of calls.entries()) {
      if (index >= MAX_CALLS) {
        results.push({ id: call.id, text: `Not done: at most ${MAX_CALLS} calls at once.`, isError: true })
        continue
      }
      change(id, ({ parts }) => ({
        parts: [...parts, { kind: 'call', name: call.name, state: 'running' }],
      }))
      const { text, picture: image, isError } = await resultOf(call, context)
      results.push({ id: call.id, text, isError, picture: image })
      change(id, ({ parts }) => ({
        parts: parts.with(-1, { kind: 'call', name: call.name, state: isError ? 'refused' : 'done' }),
      }))
    }
    return results
  }

  const canUndo = ({ after, isSplit }: Answer) =>
    after !== undefined &&
    isSplit !== true &&
    store.history().past.at(-1)?.after === after &&
    store.getState().document === after
  const undo = (answer: Answer) => {
    if (canUndo(answer)) store.undo()
  }

  return {
    getState: state.getState,
    subscribe: state.subscribe,
    submit,
    stop: () => running?.abort(),
    async retry() {
      const before = last()
      if (before === undefined || running !== undefined) return
      undo(before)
      earlier = beforeLast
      state.setState({ ...state.getState(), answers: state.getState().answers.slice(0, -1) })
      await submit(before.words)
    },
    reply: (isAllowed) => resolveQuestion?.(isAllowed),
    canUndo,
    undo,
    clear() {
      running?.abort()
      earlier = []
      state.setState({ answers: [], question: undefined })
    },
  }
}

async function resultOf(
  { name, input }: ToolCall,
  context: ToolContext,
): Promise<{ readonly text: string; readonly picture?: string | undefined; readonly isError: boolean }> {
  try {
    context.signal.throwIfAborted()
    const tool = TOOLS.find(({ spec }) => spec.name === name)
    if (tool === undefined) throw new ToolError('There is no tool of that name.')
    if (input === undefined) throw new ToolError('The input is no JSON.')
    const output: ToolOutput = await Promise.race([tool.run(input, context), whenAborted(context.signal)])
    return { ...(typeof output === 'string' ? { text: output } : output), isError: false }
  } catch (error) {
    context.signal.throwIfAborted()
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

function withText(parts: readonly AnswerPart[], text: string): readonly AnswerPart[] {
  const end = parts.at(-1)
  if (end?.kind !== 'text') return [...parts, { kind: 'text', text }]
  return parts.with(-1, { kind: 'text', text: end.text + text })
}

function withoutRunning(parts: readonly AnswerPart[]): readonly AnswerPart[] {
  return parts.filter((each) => each.kind !== 'call' || each.state !== 'running')
}

function sumOf(one: Usage, other: Usage): Usage {
  const cost =
    one.cost === undefined && other.cost === undefined ? undefined : (one.cost ?? 0) + (other.cost ?? 0)
  return { input: one.input + other.input, output: one.output + other.output, cost }
}

/** Texts alone: calls are in the spelling of the server that they came from. */
function textsOf(messages: readonly Message[]): readonly Message[] {
  return messages.flatMap((each): readonly Message[] => {
    if (each.from === 'tools' || each.text === '') return []
    return [each.from === 'person' ? each : { ...each, calls: [], raw: undefined }]
  })
}

/** The newest messages; results of tools make no sense without the calls before them. */
function recentMessages(messages: readonly Message[]): readonly Message[] {
  const recent = messages.slice(-MAX_EARLIER)
  const first = recent.findIndex(({ from }) => from === 'person')
  return first === -1 ? [] : recent.slice(first)
}

function shortened(words: string): string {
  const line = words.trim().replaceAll(/\s+/g, ' ')
  return line.length <= MAX_LABEL ? line : `${line.slice(0, MAX_LABEL - 1)}…`
}
