/** What became of transformations that came up, each counted once with its arguments while it is remembered. */
export interface EngineCounters {
  /** Run as specialised JavaScript. */
  specialised: number
  /** Run as a contract translated as a whole. */
  translated: number
  /** Left to the exact engine. */
  exact: number
  /** The specialiser declined. */
  notSpecialised: number
  /** The translator declined, at once or while running. */
  notTranslated: number
  /** A specialised step differed from the exact engine, and is not used. */
  specialisedWrong: number
  /** A translated contract differed from the exact engine, and is not used. */
  translatedWrong: number
  /** The exact engine could not check within its gas. */
  unchecked: number
}

export function noCounts(): EngineCounters {
  return {
    specialised: 0,
    translated: 0,
    exact: 0,
    notSpecialised: 0,
    notTranslated: 0,
    specialisedWrong: 0,
    translatedWrong: 0,
    unchecked: 0,
  }
}

export function addCounts(to: EngineCounters, more: EngineCounters): void {
  for (const key of Object.keys(to) as (keyof EngineCounters)[]) to[key] += more[key]
}
