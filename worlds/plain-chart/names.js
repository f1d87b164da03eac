/* What streams are called, short and each differently. */

/**
 * A name for each stream: the part that it leads to, with those above it where two would be called the same; of a
 * connector's own dimension the instrument that plays it, else its number.
 *
 * @param voices Of the page's transport.
 */
export function namesOf(streams, voices = []) {
  const parts = streams.map(({ path }) =>
    path
      .split('/')
      .slice(2)
      .map((part) => part.split(':')[0].replaceAll('_', ' ')),
  )
  const names = streams.map(({ path }, place) => {
    if (parts[place].length === 0) return instrumentOf(path, voices) ?? `Voice ${place + 1}`
    const last = (count, of = parts[place]) => of.slice(-count).join(' ')
    let count = 1
    while (count < parts[place].length && parts.filter((of) => last(count, of) === last(count)).length > 1)
      count += 1
    return last(count)
  })
  const numbered = (name, place) => {
    const before = names.slice(0, place).filter((each) => each === name).length
    return before === 0 ? name : `${name} ${before + 1}`
  }
  return names.map(numbered)
}

function instrumentOf(path, voices) {
  const { instrument = '' } = voices.find((voice) => voice.path === path) ?? {}
  return instrument === '' ? undefined : instrument[0].toUpperCase() + instrument.slice(1)
}
