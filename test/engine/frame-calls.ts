/** Code one instruction of which is not what our compiler wrote. */
export interface ChangedCode {
  readonly title: string
  readonly code: Uint8Array
  readonly args: readonly number[]
}

/** What a call of several steps begins with, and the whole answer, in hexadecimal digits; undefined where it reverts. */
export interface FrameCall {
  readonly x: number
  readonly steps: number
  /** Bytes of each value. */
  readonly size: number
  readonly calldata: Uint8Array
  readonly answer: string | undefined
}

/** What a specialised step answers to the call. */
export function answerOf(
  step: (x: number, budget: { steps: number }) => number,
  { x, steps, size }: FrameCall,
): string | undefined {
  let value = x
  let answer = ''
  for (let i = 0; i < steps; i++) {
    value = step(value, { steps: 100_000 })
    if (value < 0) return undefined
    answer += value.toString(16).padStart(2 * size, '0')
  }
  return answer
}
