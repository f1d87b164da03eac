import type { Connection } from './use-feed-stream.ts'

const WORDS: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting…',
  live: 'Live',
  reconnecting: 'Reconnecting…',
  offline: 'Offline',
  gap: 'Not live',
}

const COLORS: Readonly<Record<Connection, string>> = {
  connecting: 'var(--color-edge)',
  live: 'var(--color-verdigris)',
  reconnecting: 'var(--color-weld)',
  offline: 'var(--color-madder)',
  gap: 'var(--color-madder)',
}

/** Whether the page hears of news, as a word and a sign: a whole ring while it does, a broken one while it does not. */
export function ConnectionSign({ connection }: { connection: Connection }) {
  const live = connection === 'live'
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap font-medium text-sm">
      <svg viewBox="0 0 12 12" className="size-3" aria-hidden="true" fill="none">
        <circle
          cx="6"
          cy="6"
          r="4.75"
          stroke={COLORS[connection]}
          strokeWidth="2"
          strokeDasharray={live ? undefined : '3 2'}
        />
        {live ? <circle cx="6" cy="6" r="2" fill={COLORS.live} /> : null}
      </svg>
      {WORDS[connection]}
    </span>
  )
}
