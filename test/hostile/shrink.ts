import { type Action, ATTACKS, type Program, type Round, type Step } from './program.ts'

/** Smaller programs, the most promising first. */
function* smaller(program: Program): Generator<Program> {
  const { rounds } = program
  // Whatever comes after the round in which it failed was never run.
  for (let kept = 1; kept < rounds.length; kept *= 2) yield { ...program, rounds: rounds.slice(-kept) }
  for (let i = rounds.length - 1; i >= 0; i--) yield { ...program, rounds: rounds.toSpliced(i, 1) }
  if (program.standby) yield { ...program, standby: false }
  for (const [i, round] of rounds.entries()) {
    for (const less of smallerRounds(round)) yield { ...program, rounds: rounds.with(i, less) }
  }
}

function* smallerRounds(round: Round): Generator<Round> {
  for (let i = round.length - 1; i >= 0; i--) yield round.toSpliced(i, 1)
  for (const [i, step] of round.entries()) {
    for (const less of smallerSteps(step)) yield round.with(i, less)
  }
}

function* smallerSteps(step: Step): Generator<Step> {
  if (step.do === 'empty blocks' && step.blocks > 1) yield { ...step, blocks: step.blocks >> 1 }
  if (step.do === 'reorganise' && step.depth > 1) yield { ...step, depth: step.depth - 1 }
  if (step.do !== 'block') return
  const { actions } = step
  if (actions.length > 2) {
    yield { ...step, actions: actions.slice(actions.length >> 1) }
    yield { ...step, actions: actions.slice(0, actions.length >> 1) }
  }
  for (let i = actions.length - 1; i >= 0; i--) yield { ...step, actions: actions.toSpliced(i, 1) }
  for (const [i, action] of actions.entries()) {
    for (const less of smallerActions(action)) yield { ...step, actions: actions.with(i, less) }
  }
}

function* smallerActions(action: Action): Generator<Action> {
  if (action.do !== 'attack') return
  const bounds = ATTACKS.get(action.attack)?.parameters ?? {}
  for (const [name, [least]] of Object.entries(bounds)) {
    const value = action.parameters[name] ?? least
    for (const less of new Set([least, (least + value) >> 1, value - 1])) {
      if (less < value && less >= least)
        yield { ...action, parameters: { ...action.parameters, [name]: less } }
    }
  }
}

function sizeOf(program: Program): number {
  return JSON.stringify(program).length
}

/**
 * The smallest program found that still fails, by taking away one part after another.
 *
 * @param fails Runs a program and returns whether it fails like the first one did.
 * @param untilMs Unix milliseconds at which the search ends.
 */
export async function shrink(
  program: Program,
  fails: (program: Program) => Promise<boolean>,
  untilMs: number,
): Promise<Program> {
  const seen = new Set<string>()
  let least = program
  for (let found = true; found; ) {
    found = false
    for (const candidate of smaller(least)) {
      if (Date.now() > untilMs) return least
      const key = JSON.stringify(candidate)
      if (seen.has(key) || candidate.rounds.length === 0) continue
      seen.add(key)
      if (sizeOf(candidate) <= sizeOf(least) + 2 && (await fails(candidate))) {
        least = candidate
        found = true
        break
      }
    }
  }
  return least
}
