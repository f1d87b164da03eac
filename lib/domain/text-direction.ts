/** Overrides, embeddings and isolates: what stands behind one, also of somebody else, reads the other way round. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g

export function withoutTurns(text: string): string {
  return text.replaceAll(TURNS, '')
}

export function holdsTurns(text: string): boolean {
  return withoutTurns(text) !== text
}
