/** How firmly the chain holds an item of the feed. */
export type ItemStatus = 'observed' | 'safe' | 'finalized' | 'removed'

const LABELS: Readonly<Record<ItemStatus, string>> = {
  observed: 'Observed',
  safe: 'Safe',
  finalized: 'Finalized',
  removed: 'Removed',
}

const COLORS: Readonly<Record<ItemStatus, string>> = {
  observed: 'var(--color-weld)',
  safe: 'var(--color-indigo)',
  finalized: 'var(--color-verdigris)',
  removed: 'var(--color-madder)',
}

/** A status as a word with an icon whose shape repeats its colour: open, half, full, crossed out. */
export function StatusChip({ status }: { status: ItemStatus }) {
  return (
    <span
      className="inline-flex h-6 items-center gap-1.5 whitespace-nowrap rounded-full border px-2 font-medium text-xs"
      style={{ borderColor: `color-mix(in oklab, ${COLORS[status]} 55%, transparent)` }}
      data-status={status}
    >
      <StatusIcon status={status} />
      {LABELS[status]}
    </span>
  )
}

function StatusIcon({ status }: { status: ItemStatus }) {
  return (
    <svg viewBox="0 0 12 12" className="size-3" aria-hidden="true" fill="none" stroke={COLORS[status]}>
      {status === 'removed' ? (
        <path d="M2 2l8 8M10 2l-8 8" strokeWidth="2" strokeLinecap="round" />
      ) : (
        <>
          <circle
            cx="6"
            cy="6"
            r="4.75"
            strokeWidth="1.5"
            strokeDasharray={status === 'observed' ? '2.2 1.5' : undefined}
          />
          {status === 'safe' ? <path d="M6 2a4 4 0 0 1 0 8z" fill={COLORS.safe} stroke="none" /> : null}
          {status === 'finalized' ? (
            <circle cx="6" cy="6" r="4" fill={COLORS.finalized} stroke="none" />
          ) : null}
        </>
      )}
    </svg>
  )
}
