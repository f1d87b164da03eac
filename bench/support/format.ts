/** Three digits that count. */
export function figure(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US')
  const text = value.toPrecision(3)
  // 99.96 is rounded to 100, whose noughts count.
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

export function ms(value: number): string {
  return `${figure(value)} ms`
}
export function times(value: number): string {
  return `${figure(value)}x`
}
export function kilobytes(bytes: number): string {
  return `${figure(bytes / 1000)} kB`
}
