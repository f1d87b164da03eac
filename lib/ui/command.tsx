/** Something to paste into a terminal or a program; long lines scroll. */
export function Command({ children }: { children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, also by keyboard
    <pre tabIndex={0} className="flex-1 overflow-x-auto rounded-md bg-sunk p-4 text-xs leading-5">
      {children}
    </pre>
  )
}
