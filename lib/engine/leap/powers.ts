/** How functions of one family are applied one after another. */
export interface Family<F> {
  /** `first`, then `second`, as one function of the family. */
  readonly after: (second: F, first: F) => F
  readonly apply: (one: F, x: number) => number
}

/** A function applied any number of times, by the functions that apply it 1, 2, 4, 8, … times. */
export class Powers<F> {
  readonly #family: Family<F>
  readonly #doubled: F[]

  constructor(family: Family<F>, once: F) {
    this.#family = family
    this.#doubled = [once]
  }

  /** @param times Up to 2^32. */
  apply(x: number, times: number): number {
    let value = x
    for (let i = 0, left = times; left > 0; i++, left = Math.floor(left / 2)) {
      if (left % 2 === 1) value = this.#family.apply(this.#power(i), value)
    }
    return value
  }

  /** The function 2^i times. */
  #power(i: number): F {
    const known = this.#doubled[i]
    if (known !== undefined) return known
    const half = this.#power(i - 1)
    const whole = this.#family.after(half, half)
    this.#doubled[i] = whole
    return whole
  }
}
