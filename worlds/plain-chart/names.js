/* Names of streams: short, and each once. */

/**
 * A name for each stream: the part that it leads to, with those above it where two would be called the same; of a
 * connector's own dimension the instrument that plays it, else its number.
 *
 * @param voices Voices of the page's transport.
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
  const free = new Set(names)
  const taken = new Set(names)
  const counts = new Map()
  return names.map((name) => {
    if (free.delete(name)) return name
    let count = counts.get(name) ?? 2
    while (taken.has(`${name} ${count}`)) count += 1
    counts.set(name, count + 1)
    taken.add(`${name} ${count}`)
    return `${name} ${count}`
  })
}

function instrumentOf(path, voices) {
  const { instrument = '' } = voices.find((voice) => voice.path === path) ?? {}
  return instrument === '' ? undefined : instrument[0].toUpperCase() + instrument.slice(1)
}
