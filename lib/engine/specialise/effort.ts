import { Unspecialised } from './value.ts'

/** What an attempt may still spend, about one an instruction executed. It bounds the time that any code takes. */
export class Effort {
  #left: number

  constructor(left: number) {
    this.#left = left
  }

  /** @throws Unspecialised */
  spend(amount: number): void {
    this.#left -= amount
    if (this.#left < 0) throw new Unspecialised('much code')
  }
}
