/** What a check found: the first of its steps that fails names a code of `docs/certificate.md` and says one sentence. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: string
  /** The statement is false or the file is broken; else it merely cannot be decided here. */
  readonly refuted: boolean

  constructor(code: string, sentence: string, refuted = true) {
    super(sentence)
    this.code = code
    this.refuted = refuted
  }
}
