import type { Instrument } from '#lib/engine/sound/settings.ts'

export const INSTRUMENT_NAMES: Readonly<Record<Instrument, string>> = {
  keys: 'Keys',
  pluck: 'Pluck',
  bass: 'Bass',
  lead: 'Lead',
  bell: 'Bell',
  pad: 'Pad',
  kit: 'Drum kit',
  kick: 'Kick',
  snare: 'Snare',
  hat: 'Hi-hat',
  clap: 'Clap',
  silent: 'Silent',
}
