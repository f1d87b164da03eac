import type { ComponentProps } from 'react'

/** A button of the bar above the editors; `shortcut` is shown beside its name. */
export function BarButton({
  shortcut,
  children,
  ...rest
}: Omit<ComponentProps<'button'>, 'className' | 'type'> & { shortcut?: string | undefined }) {
  return (
    <button
      type="button"
      {...rest}
      className="inline-flex min-h-10 cursor-pointer items-center gap-1.5 rounded-md px-2 text-sm transition-colors hover:bg-sunk disabled:cursor-default disabled:text-ink-soft disabled:opacity-60 disabled:hover:bg-transparent pointer-coarse:min-h-11"
    >
      {children}
      {shortcut === undefined ? null : (
        <kbd className="mono rounded-sm border border-line px-1 text-ink-soft text-xs max-sm:hidden pointer-coarse:hidden">
          {shortcut}
        </kbd>
      )}
    </button>
  )
}
