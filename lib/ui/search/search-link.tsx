/** Leads to the search page where the header has no room for its box. */
export function SearchLink() {
  return (
    <a
      href="/search"
      title="Search"
      className="inline-grid size-11 place-items-center rounded-md text-ink-soft transition-colors hover:text-accent lg:hidden"
    >
      <span className="sr-only">Search</span>
      <svg
        viewBox="0 0 20 20"
        className="size-5"
        aria-hidden="true"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
      >
        <circle cx="9" cy="9" r="5.5" />
        <path d="M13.2 13.2 17 17" />
      </svg>
    </a>
  )
}
