/** Tells feed readers where the feed is; stands in the head of the page, wherever it is drawn. */
export function AtomLink() {
  return <link rel="alternate" type="application/atom+xml" title="Published on Weft" href="/feed.xml" />
}
