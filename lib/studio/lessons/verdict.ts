import type { PreviewAnswer, TryAnswer } from '#lib/server/operations/studio/preview-schemas.ts'
import type { Expectation, Snapshot, Step } from './lesson.ts'

/** Facts beyond the document. What was found belongs to the document as it is now, or is undefined. */
export interface Evidence {
  readonly particles: PreviewAnswer['result'] | undefined
  readonly tries: readonly TryAnswer[] | undefined
  /** Why nothing could be found out, as a sentence. */
  readonly trouble: string | undefined
  readonly signedIn: boolean
  readonly published: boolean
  /** Whether something has sounded since the lesson was opened. */
  readonly heard: boolean
}

/** Values side by side with what they should be. */
export interface Comparison {
  readonly label: string
  readonly expected: readonly number[]
  readonly actual: readonly number[] | undefined
}

export interface Verdict {
  readonly done: boolean
  /** Sentence about what is missing, or that nothing is. */
  readonly sentence: string
  readonly comparisons: readonly Comparison[]
}

/** Whether a step is done, and if not, what is missing. */
export function judge(step: Step, snapshot: Snapshot, evidence: Evidence): Verdict {
  const comparisons = step.expects === undefined ? [] : compare(step.expects, snapshot, evidence)
  const missing =
    adopted(step, snapshot) ??
    held(step, snapshot) ??
    met(step, snapshot, evidence, comparisons) ??
    awaited(step, evidence)
  return { done: missing === undefined, sentence: missing ?? 'Done.', comparisons }
}

/** Whether the step can be checked by running it. */
export function isReadyToRun(step: Step, snapshot: Snapshot): boolean {
  return adopted(step, snapshot) === undefined && held(step, snapshot) === undefined
}

function adopted({ adopts }: Step, snapshot: Snapshot): string | undefined {
  if (adopts === undefined || snapshot.entry(adopts.role) !== undefined) return undefined
  return `There is no new ${adopts.kind} yet.`
}

function held({ holds }: Step, snapshot: Snapshot): string | undefined {
  const outcome = holds?.(snapshot) ?? true
  return outcome === true ? undefined : outcome
}

function met(
  { expects }: Step,
  snapshot: Snapshot,
  { particles, tries, trouble }: Evidence,
  comparisons: readonly Comparison[],
): string | undefined {
  if (expects === undefined) return undefined
  if (trouble !== undefined) return trouble
  if (expects.of === 'tries') {
    if (tries === undefined) return 'Trying it…'
    if (tries.some(({ outcome }) => outcome === 'not_compiled')) return 'It does not compile yet.'
    return comparisons.every(equal)
      ? undefined
      : `${snapshot.name(expects.role)} makes something else of it so far.`
  }
  if (particles === undefined) return 'Running it…'
  if (particles.outcome !== 'particles') return resultMessage(particles)
  const right = particles.particles.length === expects.values.length && comparisons.every(equal)
  return right ? undefined : 'It runs, but other numbers come out.'
}

function resultMessage(result: Exclude<PreviewAnswer['result'], { outcome: 'particles' }>): string {
  if (result.outcome === 'rejected') return sentenceOf(`The run is refused: ${result.rejection.message}`)
  const [first] = result.problems
  return first === undefined ? 'It cannot be run yet.' : sentenceOf(`${first.name}: ${first.message}`)
}

function sentenceOf(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

function awaited({ awaits }: Step, { signedIn, published, heard }: Evidence): string | undefined {
  if (awaits === 'account' && !signedIn) return 'You are not signed in yet.'
  if (awaits === 'published' && !signedIn) return 'You are not signed in: sign in first.'
  if (awaits === 'published' && !published) return 'It is not published yet.'
  if (awaits === 'sound' && !heard) return 'Nothing sounds yet.'
  return undefined
}

function compare(expects: Expectation, snapshot: Snapshot, { particles, tries }: Evidence): Comparison[] {
  if (expects.of === 'tries') {
    return expects.tries.map(({ x, args, values }, index): Comparison => {
      const attempt = tries?.[index]
      return {
        label: `from ${x}, args ${args.join(', ')}`,
        expected: values,
        actual: attempt?.outcome === 'ran' ? attempt.values : undefined,
      }
    })
  }
  const streams = particles?.outcome === 'particles' ? particles.particles : undefined
  return expects.values.map((expected, index): Comparison => {
    const stream = streams?.[index]
    return {
      label: stream?.path ?? `/${snapshot.name(expects.role)}:${index}`,
      expected,
      actual: stream?.data,
    }
  })
}

function equal({ expected, actual }: Comparison): boolean {
  return (
    actual !== undefined &&
    actual.length === expected.length &&
    expected.every((each, at) => each === actual[at])
  )
}
