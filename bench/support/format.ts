/** Three digits that count. */
export function figure(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US')
  return value.toPrecision(3).replace(/\.?0+$/, '')
}

export const ms = (value: number): string => `${figure(value)} ms`
export const times = (value: number): string => `${figure(value)}x`
