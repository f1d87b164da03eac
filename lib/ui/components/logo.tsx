/** Two threads crossing, each over the other once. Decorative: put the name beside it in text. */
export function Mark({ className = 'size-7' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true" fill="none" strokeLinecap="round">
      <g stroke="currentColor" strokeWidth="3">
        <path d="M10 3v12.5M10 24v5" />
        <path d="M22 3v5M22 16.5V29" />
      </g>
      <g className="stroke-accent" strokeWidth="3">
        <path d="M3 11.5h3M14 11.5h15" />
        <path d="M3 20.5h15M26 20.5h3" />
      </g>
    </svg>
  )
}
