const THREADS = ['indigo', 'madder', 'weld', 'verdigris', 'walnut', 'cochineal'] as const
const SIZE = 8
/** Overlap of threads, against gaps. */
const SEAM = 0.02

/**
 * An identicon: warp threads have the colours of the address's first bytes, weft threads of the next; the rest decides
 * which lies on top.
 */
export function Avatar({ address, className = 'size-10' }: { address: string; className?: string }) {
  const bytes = bytesOf(address)
  const color = (index: number) => `var(--color-${THREADS[(bytes[index] ?? index) % THREADS.length]})`
  const over = (row: number, column: number) => (((bytes[12 + (row % 4)] ?? row) >> column) & 1) === 1
  // One path a colour and one line for neighbours that share it: most pages show several avatars, and send some twice.
  const paths = new Map<string, string>()
  for (let row = 0; row < SIZE; row++) {
    const dyes = Array.from({ length: SIZE }, (_, at) => {
      // Mirrored, because symmetric pictures are easier to distinguish.
      const column = Math.min(at, SIZE - 1 - at)
      return over(row, column) ? color(4 + row) : color(column % 4)
    })
    for (let at = 0, end = 0; at < SIZE; at = end) {
      const dye = dyes[at]!
      while (dyes[end] === dye) end++
      paths.set(dye, `${paths.get(dye) ?? ''}M${at} ${row}h${end - at + SEAM}`)
    }
  }
  return (
    <svg
      viewBox={`0 -0.5 ${SIZE} ${SIZE}`}
      className={`shrink-0 rounded-md ${className}`}
      aria-hidden="true"
      strokeWidth={1 + SEAM}
    >
      {[...paths].map(([dye, d]) => (
        <path key={dye} d={d} stroke={dye} />
      ))}
    </svg>
  )
}

function bytesOf(address: string): readonly number[] {
  return (address.replace(/^0x/i, '').match(/../g) ?? []).map((digits) => Number.parseInt(digits, 16) || 0)
}
