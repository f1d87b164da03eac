'use client'

import { ChevronDown, ChevronRight, Volume2, VolumeX } from 'lucide-react'
import { INSTRUMENTS, type Instrument, withPathSound } from '#lib/engine/sound/settings.ts'
import { changeSound } from '#lib/studio/document/commands/connector.ts'
import type { StudioStore } from '#lib/studio/document/store.ts'
import { Breakable } from '#lib/ui/components/breakable.tsx'
import { Press } from '#lib/ui/kit/button.tsx'
import { IconButton } from '#lib/ui/kit/icon-button.tsx'
import { Select } from '#lib/ui/kit/select.tsx'
import { INSTRUMENT_NAMES } from '../transport/instrument-names.ts'
import type { VoiceRow } from './rows.ts'
import { VoiceNotes } from './voice-notes.tsx'

/** Name of a voice: the part that it plays, else its instrument. */
export function nameOfVoice({ composite, instrument, index }: VoiceRow): string {
  if (composite !== '') return composite
  return instrument === undefined ? `Voice ${index + 1}` : INSTRUMENT_NAMES[instrument]
}

/** A voice's colour, name, instrument, mute and first notes. */
export function VoiceHead({
  row,
  tab,
  color,
  edit,
  readOnly,
  onToggle,
}: {
  row: VoiceRow
  /** Tab of the connector whose notes are named; undefined where they are not. */
  tab: string | undefined
  color: string
  edit: StudioStore['edit']
  readOnly: boolean
  onToggle: (row: VoiceRow) => void
}) {
  const { index, open, instrument, composite, paths, muted, at } = row
  const voice = `voice ${index + 1}`
  const set = (label: string, change: { readonly instrument?: Instrument; readonly muted?: boolean }) =>
    edit(label, (document) =>
      changeSound(document, {
        entryId: at.entryId,
        change: (sound) => paths.reduce((next, path) => withPathSound(next, path, change), sound),
      }),
    )
  return (
    <span className="flex min-h-9 min-w-0 items-center gap-1">
      <span aria-hidden="true" className="h-6 w-1 shrink-0 rounded-full" style={{ background: color }} />
      <Press
        tabIndex={-1}
        aria-label={open ? `Close ${voice}` : `Open ${voice}`}
        onClick={() => onToggle(row)}
        className="grid size-5 shrink-0 place-items-center rounded-sm text-ink-soft hover:bg-line hover:text-ink touch:size-9"
      >
        {open ? <ChevronDown className="size-3.5" /> : <ChevronRight className="size-3.5" />}
      </Press>
      {/* A line for each, so that neither the name nor the instrument is cut: the part fills as many. */}
      <span className="flex min-w-0 flex-1 flex-col items-start">
        {composite === '' ? null : (
          <span
            className="line-clamp-2 px-1 font-semibold text-sm [overflow-wrap:anywhere]"
            title={composite}
          >
            <Breakable name={composite} />
          </span>
        )}
        <span className="flex max-w-full items-center gap-1">
          {instrument !== undefined && !readOnly ? (
            <Select
              look="quiet"
              options={INSTRUMENTS.map((each) => [each, INSTRUMENT_NAMES[each]] as const)}
              onValue={(next) => set('Change instrument', { instrument: next })}
              aria-label={`Instrument of ${voice}`}
              value={instrument}
              className={composite === '' ? 'font-semibold' : 'text-ink-soft'}
            />
          ) : composite === '' ? (
            <span className="min-w-0 truncate px-1 font-semibold text-sm">{nameOfVoice(row)}</span>
          ) : null}
          {readOnly || paths.length === 0 || instrument === 'silent' ? null : (
            <IconButton
              label={`Mute ${voice}`}
              aria-pressed={muted}
              size="size-7"
              className={muted ? 'text-accent!' : ''}
              onClick={() => set(muted ? 'Unmute' : 'Mute', { muted: !muted })}
            >
              {muted ? (
                <VolumeX className="size-3.5!" aria-hidden="true" />
              ) : (
                <Volume2 className="size-3.5!" aria-hidden="true" />
              )}
            </IconButton>
          )}
        </span>
        {tab === undefined || !open ? null : (
          <span
            role="note"
            aria-label="First notes"
            className="line-clamp-1 px-1 text-ink-soft text-xs empty:hidden @max-md:sr-only"
          >
            <VoiceNotes tab={tab} index={index} />
          </span>
        )}
      </span>
    </span>
  )
}
