import { Ring } from './ring.tsx'

/** Finality of an item of the feed. */
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
  if (status !== 'removed') {
    const fill = status === 'safe' ? 'half' : status === 'finalized' ? 'whole' : undefined
    return <Ring color={COLORS[status]} open={status === 'observed'} fill={fill} />
  }
  return (
    <svg viewBox="0 0 12 12" className="size-3" aria-hidden="true" fill="none" stroke={COLORS.removed}>
      <path d="M2 2l8 8M10 2l-8 8" strokeWidth="2" strokeLinecap="round" />
    </svg>
  )
}
