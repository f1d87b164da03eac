const THREADS = ['indigo', 'madder', 'weld', 'verdigris', 'walnut', 'cochineal'] as const
const SIZE = 8

/**
 * A piece of cloth woven from an address: the same address always looks the same. Warp threads have the colours of its
 * first bytes, weft threads of the next, and the rest says which of the two lies on top.
 */
export function Avatar({ address, className = 'size-10' }: { address: string; className?: string }) {
  const bytes = bytesOf(address)
  const color = (index: number) => `var(--color-${THREADS[(bytes[index] ?? index) % THREADS.length]})`
  const over = (row: number, column: number) => (((bytes[12 + (row % 4)] ?? row) >> column) & 1) === 1
  // One path a colour: most pages show several, and send each of them twice.
  const paths = new Map<string, string>()
  for (let row = 0; row < SIZE; row++) {
    for (let at = 0; at < SIZE; at++) {
      // Mirrored, because eyes tell symmetric pictures apart more easily.
      const column = Math.min(at, SIZE - 1 - at)
      const fill = over(row, column) ? color(4 + row) : color(column % 4)
      paths.set(fill, `${paths.get(fill) ?? ''}M${at} ${row}h1.02v1.02h-1.02z`)
    }
  }
  return (
    <svg viewBox={`0 0 ${SIZE} ${SIZE}`} className={`shrink-0 rounded-md ${className}`} aria-hidden="true">
      {[...paths].map(([fill, d]) => (
        <path key={fill} d={d} fill={fill} />
      ))}
    </svg>
  )
}

function bytesOf(address: string): readonly number[] {
  return (address.replace(/^0x/i, '').match(/../g) ?? []).map((digits) => Number.parseInt(digits, 16) || 0)
}
