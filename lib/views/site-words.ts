/** Words of the operator about the site: its name, and pages that the footer links to. */
export interface SiteWords {
  readonly name: string
  /** First sentence of the home page; undefined for Weft's own. */
  readonly sentence: string | undefined
  readonly imprint: string | undefined
  readonly privacy: string | undefined
  readonly contact: string | undefined
}

/** Without an operator's own words. */
export const PLAIN_WORDS: SiteWords = {
  name: 'Weft',
  sentence: undefined,
  imprint: undefined,
  privacy: undefined,
  contact: undefined,
}
