import type { FramePhase } from './framed-world.ts'
import type { Silence } from './use-world-frame.ts'

const SILENCE: Readonly<Record<Silence, string>> = {
  'does not load': 'It does not load. Its bundle may be gone or broken: start it again, or look again later.',
  'never spoke': 'It has not said that it listens, so it may show nothing of the connector.',
  'stopped answering': 'It has stopped answering. It may be busy; you can stop it or start it again.',
}

const PHASES: Readonly<Record<FramePhase, string>> = {
  waiting: 'Not started',
  loading: 'Loading…',
  running: 'Running',
  ready: 'Running',
  stopped: 'Stopped',
}

/** What a frame is doing, in words; said aloud when it changes. */
export function FrameSign({
  phase,
  error,
  silence,
  flooded,
}: {
  phase: FramePhase
  error: string | undefined
  silence: Silence | undefined
  flooded: boolean
}) {
  return (
    <div role="status" className="min-w-0 text-sm [overflow-wrap:anywhere]">
      {flooded ? (
        <p className="text-madder">Stopped: it sent more than a thousand messages within a second.</p>
      ) : phase !== 'stopped' && error ? (
        <p className="text-madder">
          It reports a problem: <q>{error}</q>
        </p>
      ) : silence ? (
        <p>{SILENCE[silence]}</p>
      ) : (
        <p className="text-ink-soft">{PHASES[phase]}</p>
      )}
    </div>
  )
}
