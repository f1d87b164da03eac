/** One side of a comparison. */
export interface Side {
  readonly name: string
  /** Does the work once; `round` varies the request from round to round, the same for every side. */
  readonly work: (round: number) => unknown
  /** Repetitions per round, of which the median counts; 1 by default. For work too short to be timed once. */
  readonly repeat?: number
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/** @param share 0..1 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/**
 * Alternates between the sides, so that other load on the machine affects all of them alike.
 *
 * @param warmUp rounds before the first that counts.
 * @returns milliseconds of every counted round, by side.
 */
export async function alternate(
  sides: readonly Side[],
  { rounds, warmUp = 1 }: { readonly rounds: number; readonly warmUp?: number },
): Promise<Map<string, number[]>> {
  const times = new Map(sides.map(({ name }) => [name, [] as number[]]))
  for (let round = 0; round < warmUp + rounds; round++) {
    for (const { name, work, repeat = 1 } of sides) {
      const turns: number[] = []
      for (let turn = 0; turn < repeat; turn++) turns.push(await timed(() => work(round * repeat + turn)))
      if (round >= warmUp) times.get(name)!.push(median(turns))
    }
  }
  return times
}

/** @returns milliseconds. */
export async function timed(work: () => unknown): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
