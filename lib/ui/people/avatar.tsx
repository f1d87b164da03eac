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
  const cells = Array.from({ length: SIZE * SIZE }, (_, index) => {
    const row = Math.floor(index / SIZE)
    // Mirrored, because eyes tell symmetric pictures apart more easily.
    const column = Math.min(index % SIZE, SIZE - 1 - (index % SIZE))
    return { index, row, fill: over(row, column) ? color(4 + (row % 8)) : color(column % 4) }
  })
  return (
    <svg viewBox={`0 0 ${SIZE} ${SIZE}`} className={`shrink-0 rounded-md ${className}`} aria-hidden="true">
      {cells.map(({ index, row, fill }) => (
        <rect key={index} x={index % SIZE} y={row} width="1.02" height="1.02" fill={fill} />
      ))}
    </svg>
  )
}

function bytesOf(address: string): readonly number[] {
  return (address.replace(/^0x/i, '').match(/../g) ?? []).map((digits) => Number.parseInt(digits, 16) || 0)
}
