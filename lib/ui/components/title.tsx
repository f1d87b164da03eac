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

/** Returns whether a name is its title in the letters of names. */
export function isNameOf(name: string, title: string): boolean {
  const letters = title.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return letters.join('_') === name.toLowerCase()
}
