import type { PreviewAnswer } from '../../../server/operations/studio/preview-schemas.ts'
import { formatInteger } from '../../components/format.ts'
import type { Problem } from '../document/problem.ts'
import { createValue } from '../document/value.ts'

type Rejected = Extract<PreviewAnswer['result'], { outcome: 'rejected' }>

/** Where the newest run stopped, as a problem of that line; undefined while it does not stop. */
export const runStop = createValue<Problem | undefined>(undefined)

/** Why a run stopped and what to do, for the line that it stopped in. */
export function stopSentence({ place, rejection }: Rejected): string {
  if (place?.kind === 'condition') {
    return 'It says no with these numbers, so there is nothing to show. Change one of them, or remove the condition.'
  }
  if (place?.kind !== 'step')
    return 'The run cannot start here. Change the start or the shift of this dimension.'
  const { transformation, step, x } = place
  const where = `At step ${formatInteger(step)} it gets ${formatInteger(x)}`
  if (rejection.message.startsWith('Arithmetic')) {
    return `${where}, and the result is below 0 or above 4,294,967,295. Use a smaller number, or add a cycle or keep_between before it.`
  }
  if (rejection.message.startsWith('Division')) {
    return `${where} and divides by 0. Make the 0 another number.`
  }
  if (rejection.name === 'Limit') {
    return `${where} and takes too long. Use smaller numbers, or fewer particles.`
  }
  if (rejection.name === 'Error')
    return `${where} and stops with “${rejection.message}”. Change a number, or the start.`
  return `${where} and refuses it. Change a number, or choose another transformation than ${transformation}.`
}
