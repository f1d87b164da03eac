/** One series of an answer of `/metrics`. */
export interface Series {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (-?(?:[\d.]+(?:e[+-]?\d+)?|\+?Inf|Nan|NaN))$/
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"(?:,|$)/gy

/** Reads the text format of Prometheus strictly. @throws Error on a line that is neither series nor comment. */
export function parseExposition(text: string): Series[] {
  const series: Series[] = []
  for (const line of text.split('\n')) {
    if (line === '' || /^# (HELP|TYPE) [\w:]+ /.test(line)) continue
    const [, name, list = '', value] = LINE.exec(line) ?? []
    if (name === undefined) throw new Error(`not a series: ${line}`)
    const labels = [...list.matchAll(LABEL)]
    if (labels.map(([whole]) => whole).join('') !== list) throw new Error(`not a list of labels: ${line}`)
    series.push({
      name,
      labels: Object.fromEntries(labels.map(([, label, text]) => [label, text])),
      value: Number(value),
    })
  }
  return series
}

/** The value of the one series with this name and at least these labels; undefined when there is none. */
export function seriesValue(
  series: readonly Series[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  return series.find(
    (each) =>
      each.name === name && Object.entries(labels).every(([label, value]) => each.labels[label] === value),
  )?.value
}
