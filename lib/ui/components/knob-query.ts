/** Repeated in the query of a page: `knob=first+skip:3` turns the knob `first skip` to 3. */
const PARAMETER = 'knob'

interface Knob {
  readonly name: string
  readonly min: number
  readonly max: number
}

/** Knobs as a query turns them; unknown names and numbers outside of a knob's range are left out. */
export function readKnobs<K extends Knob>(
  search: string,
  knobs: readonly K[],
): readonly { readonly knob: K; readonly value: number }[] {
  return new URLSearchParams(search).getAll(PARAMETER).flatMap((text) => {
    const [, name, digits] = /^(.*):(\d{1,10})$/.exec(text) ?? []
    const knob = knobs.find((each) => each.name === name)
    const value = Number(digits)
    return knob && value >= knob.min && value <= knob.max ? [{ knob, value }] : []
  })
}

/** An address with these knobs turned, in place of those that it turned before. */
export function withKnobs(
  address: string,
  knobs: readonly { readonly name: string; readonly value: number }[],
): string {
  const url = new URL(address)
  url.searchParams.delete(PARAMETER)
  for (const { name, value } of knobs) url.searchParams.append(PARAMETER, `${name}:${value}`)
  return url.href
}

/** An address with the knobs turned as in the query of another. */
export function withKnobsOf(address: string, search: string): string {
  const url = new URL(address)
  for (const text of new URLSearchParams(search).getAll(PARAMETER)) url.searchParams.append(PARAMETER, text)
  return url.href
}
