const FILLS = { half: 'M6 2a4 4 0 0 1 0 8z', whole: 'M6 2a4 4 0 0 1 0 8a4 4 0 0 1 0-8z' } as const

/** A small ring that repeats in its shape what its colour says: open or closed, empty, with a dot, half or wholly full. */
export function Ring({
  color,
  open = false,
  fill,
}: {
  color: string
  open?: boolean
  fill?: keyof typeof FILLS | 'dot' | undefined
}) {
  return (
    <svg viewBox="0 0 12 12" className="size-3 shrink-0" aria-hidden="true" fill="none" stroke={color}>
      <circle cx="6" cy="6" r="4.75" strokeWidth="1.5" strokeDasharray={open ? '2.2 1.5' : undefined} />
      {fill === 'dot' ? <circle cx="6" cy="6" r="2" fill={color} stroke="none" /> : null}
      {fill === undefined || fill === 'dot' ? null : <path d={FILLS[fill]} fill={color} stroke="none" />}
    </svg>
  )
}
