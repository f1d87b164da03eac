import { formatInteger } from '#lib/browser/format.ts'
import type { PreviewAnswer, PreviewRequest } from '#lib/server/operations/studio/preview-schemas.ts'

/* Why a run stopped early, in the editor's words: every sentence about it is here. */

type Rejected = Extract<PreviewAnswer['result'], { outcome: 'rejected' }>
type Place = NonNullable<Rejected['place']>

/** Title of a run that was stopped. @param loops Names of bodies with a loop (`loopsIn`). */
export function stopTitle({ place, rejection }: Rejected, loops: readonly string[] = []): string {
  if (rejection.name === 'Limit') {
    return loops.length > 0 ? 'The run does not come to an end' : 'The run takes too long'
  }
  if (place?.kind === 'condition') return `${place.condition} says no`
  if (place?.kind === 'start' || place?.kind === 'running-instance') return 'The run cannot start'
  if (rejection.message.startsWith('Arithmetic')) return 'A number gets too small or too large'
  if (rejection.message.startsWith('Division')) return 'Something is divided by 0'
  return place?.kind === 'step' ? `${place.transformation} refuses a number` : 'The run stops'
}

/**
 * Why a run stopped and what to do.
 *
 * @param inLine For the line that it stopped in, which says whom it is about.
 */
export function stopSentence({ place, rejection }: Rejected, inLine = false): string {
  const isLimit = rejection.name === 'Limit'
  if (place?.kind === 'condition') {
    const who = inLine ? 'It' : `The gate ${place.condition}`
    return `${who} says no with these numbers, so there is nothing to show. Change one of them, or remove the gate.`
  }
  if (place?.kind !== 'step') {
    if (isLimit) return 'It runs into a limit of this server. Fewer steps may stay below it.'
    if (place) return 'The run cannot start here. Change the start of this voice.'
    return 'It stops here as it would on chain. Fewer steps may stay clear of the step that stops it.'
  }
  const { transformation, step, x } = place
  const where = `At step ${formatInteger(step)} ${inLine ? 'it' : transformation} gets ${formatInteger(x)}`
  if (rejection.message.startsWith('Arithmetic')) {
    return `${where}, and the result is below 0 or above 4,294,967,295. Use a smaller number, or add a cycle or keep_between before it.`
  }
  if (rejection.message.startsWith('Division')) {
    return `${where} and divides by 0. Make the 0 another number.`
  }
  if (isLimit) return `${where} and takes too long. Use smaller numbers, or fewer steps.`
  if (rejection.name === 'Error')
    return `${where} and stops with “${rejection.message}”. Change a number, or the start.`
  return `${where} and refuses it. Change a number, or choose another function than ${transformation}.`
}

/** Where a run stopped, as a sentence. */
export function describePlace(place: Place): string {
  switch (place.kind) {
    case 'start':
      return 'The run stops before its first step: its start is not possible.'
    case 'condition':
      return place.path === ''
        ? `The gate ${place.condition} of ${place.connector} says no before the first step.`
        : `The gate ${place.condition} of ${place.connector} says no; voice ${place.path} plays it.`
    case 'running-instance':
      return `Voice ${formatInteger(place.dimension + 1)} of ${place.connector} cannot start where it should.`
    case 'step':
      return (
        `Voice ${formatInteger(place.dimension + 1)} of ${place.connector} stops at its step ` +
        `${formatInteger(place.step)}: ${place.transformation}(${place.args.join(', ')}) refuses ` +
        `${formatInteger(place.x)}.`
      )
  }
}

/** Names of the bodies of a run that have a loop. */
export function loopsIn(question: PreviewRequest | undefined): readonly string[] {
  return (question?.bodies ?? [])
    .filter(({ sol_src: source }) => /\b(while|for|do)\b/.test(source.replace(/\/\/.*/g, '')))
    .map(({ name }) => name)
}

/** @param loops Not empty. */
export function loopAdvice(loops: readonly string[]): string {
  return `A loop in ${loops.join(' or ')} may not end: check what makes it stop.`
}
