import type { OpenedWorld } from '../../site-data/gallery.ts'

/** What is known of a World that is to be opened; null when there is none. */
export type Opening = OpenedWorld | null | 'loading' | 'failed'
