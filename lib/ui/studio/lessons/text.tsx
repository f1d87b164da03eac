/** A paragraph; what is between backticks is code. */
export function Text({ children }: { children: string }) {
  return (
    <p>
      {children.split('`').map((part, index) =>
        index % 2 === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in order
          <code key={index} className="rounded-sm bg-sunk px-1 text-xs [overflow-wrap:anywhere]">
            {part}
          </code>
        ) : (
          part
        ),
      )}
    </p>
  )
}
