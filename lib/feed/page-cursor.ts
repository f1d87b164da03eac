/**
 * Where a page of the feed ends. A walk over the pages remembers the moment it began, because an event that is mined
 * anew moves: without that moment the walk could meet it twice, or not at all.
 */
export interface PageCursor {
  /** History cursor that the next page lies before. */
  readonly place: string
  /** Absent in a bare history cursor, which begins a walk of its own. */
  readonly walk?: { readonly streamSeq: number; readonly feedId: string }
}

const PLACE = '\\d{15}-\\d{8}-\\d{8}'
const FEED_ID = '\\d{1,15}:(?:connector|transformation|condition)_added:[A-Za-z_][A-Za-z0-9_]{0,127}'
const CURSOR = new RegExp(`^(${PLACE})(?:~(\\d{1,15})~(${FEED_ID}))?$`)

/** Longest text that can be a cursor. */
export const MAX_PAGE_CURSOR_LENGTH = 250

/** @returns undefined for text that is no cursor. */
export const parsePageCursor = (text: string): PageCursor | undefined => {
  const [, place, streamSeq, feedId] = (text.length <= MAX_PAGE_CURSOR_LENGTH && CURSOR.exec(text)) || []
  if (place === undefined) return undefined
  return streamSeq === undefined || feedId === undefined
    ? { place }
    : { place, walk: { streamSeq: Number(streamSeq), feedId } }
}

export const writePageCursor = ({ place, walk }: PageCursor): string =>
  walk === undefined ? place : `${place}~${walk.streamSeq}~${walk.feedId}`
