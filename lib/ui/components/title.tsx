/**
 * A title that an author chose: plain text of any script, kept inside its own lines however many marks are stacked on a
 * letter.
 */
export function Title({ children, className = '' }: { children: string; className?: string }) {
  return (
    <bdi className={`overflow-clip [overflow-clip-margin:0.25em] [overflow-wrap:anywhere] ${className}`}>
      {children}
    </bdi>
  )
}
