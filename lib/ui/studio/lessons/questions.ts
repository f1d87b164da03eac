import type {
  PreviewAnswer,
  PreviewRequest,
  TryAnswer,
  TryRequest,
} from '../../../api/studio/preview-schemas.ts'
import { counted } from '../../format.ts'
import { argsCountOf } from '../document/args-count.ts'
import { requestPreview, requestTry } from '../preview/client.ts'
import { sliceOf } from '../preview/slice-of.ts'
import type { Look, Step } from './lesson.ts'

/** What has to be run to tell whether a step is done. */
export type Question =
  | { readonly ask: 'run'; readonly body: PreviewRequest }
  | { readonly ask: 'try'; readonly bodies: readonly TryRequest[] }

export type Finding =
  | { readonly of: 'run'; readonly result: PreviewAnswer['result'] }
  | { readonly of: 'try'; readonly answers: readonly TryAnswer[] }

/** Particles that are compared. */
const COUNT = 8

/** The question of a step, or why it cannot be asked yet, as a sentence. */
export function questionOf({ expects }: Step, look: Look): Question | string | undefined {
  if (expects === undefined) return undefined
  if (expects.of === 'tries') {
    const code = look.code(expects.role)
    if (code === undefined) return undefined
    const counts = new Set(expects.tries.map(({ args }) => args.length))
    const count = argsCountOf(code.source)
    if (!counts.has(count)) {
      return `It takes ${counted(count, 'argument')} so far, and has to take ${[...counts].join(' or ')}.`
    }
    const bodies = expects.tries.map(({ x, args, values }): TryRequest => {
      const shared = { sol_src: code.source, args: [...args] }
      return code.kind === 'condition'
        ? { kind: 'condition', ...shared }
        : { kind: 'transformation', ...shared, x, steps: values.length }
    })
    return { ask: 'try', bodies }
  }
  const root = look.connector(expects.role)
  const slice = root && sliceOf(look.document, root)
  const names = new Set(
    slice === undefined ? [] : [...slice.connectors, ...slice.bodies].map(({ name }) => name),
  )
  const wrong = look.problems.find(
    ({ severity, at }) =>
      severity === 'error' &&
      look.document.entries.some(({ id, name }) => id === at.entryId && names.has(name)),
  )
  if (slice === undefined || wrong !== undefined) return wrong?.sentence ?? 'A number is not finished yet.'
  return { ask: 'run', body: { ...slice, particles_count: COUNT, dynamic_ri: {} } }
}

/** Asks the server. @throws PreviewFailed */
export async function find(question: Question, signal: AbortSignal): Promise<Finding> {
  if (question.ask === 'run') {
    const { result } = await requestPreview(question.body, signal)
    return { of: 'run', result }
  }
  const answers: TryAnswer[] = []
  // One after the other: what runs at a time is bounded for everybody.
  for (const body of question.bodies) answers.push(await requestTry(body, signal))
  return { of: 'try', answers }
}
