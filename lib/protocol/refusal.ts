/** Failure of a check: the first of its steps that fails names a code of `docs/certificate.md` and says one sentence. */
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

/** A text of the file as a part of a sentence: in quotes, bounded, without control characters. */
export function quoted(text: string): string {
  const short = text.length <= 128 ? text : `${text.slice(0, 127)}…`
  return JSON.stringify(short.replaceAll(/[^ -~…]/g, '?'))
}
