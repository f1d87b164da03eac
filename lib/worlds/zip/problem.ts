/** Why a ZIP is refused, as a sentence for its author. */
export class ZipProblem extends Error {
  override readonly name = 'ZipProblem'
}

/** A name out of a ZIP, as it may appear in a message: quoted, escaped, bounded. */
export function quoteName(name: string): string {
  return JSON.stringify(name.length > 120 ? `${name.slice(0, 120)}…` : name)
}
