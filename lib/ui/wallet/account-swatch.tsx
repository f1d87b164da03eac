/** A small weave that tells accounts apart at a glance; the same address always looks the same. */
export function AccountSwatch({ address }: { address: string }) {
  const threads = [0, 1, 2, 3].map(
    (index) => THREADS[Number.parseInt(address.slice(2 + index * 2, 4 + index * 2), 16) % THREADS.length],
  )
  return (
    <svg viewBox="0 0 16 16" className="size-4 shrink-0 rounded-sm" aria-hidden="true">
      {threads.map((color, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: four threads in a fixed order
        <rect key={index} x={index * 4} y="0" width="4" height="16" fill={`var(--color-${color})`} />
      ))}
      {[2, 6, 10, 14].map((y, index) => (
        <rect
          key={y}
          x={index % 2 === 0 ? 0 : 4}
          y={y - 1}
          width="12"
          height="2"
          fill={`var(--color-${threads[(index + 2) % 4]})`}
        />
      ))}
    </svg>
  )
}

const THREADS = ['indigo', 'madder', 'weld', 'verdigris', 'walnut', 'cochineal'] as const
