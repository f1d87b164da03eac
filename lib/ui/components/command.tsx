import type { ReactNode } from 'react'
import { CopyButton } from '#lib/ui/kit/copy-button.tsx'

interface Props {
  children: string
  /** Accessible name of what is copied. */
  what?: string
  size?: string
  /** The same text with colours. */
  highlighted?: ReactNode
}

/** Code with a copy button; long lines scroll. */
export function Command({
  children,
  what = 'code',
  size = 'text-xs leading-5',
  highlighted = children,
}: Props) {
  return (
    <div className="relative min-w-0 flex-1">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, also by keyboard */}
      <pre tabIndex={0} className={`h-full overflow-x-auto rounded-md bg-sunk p-4 pr-12 ${size}`}>
        <code>{highlighted}</code>
      </pre>
      <span className="absolute top-2.5 right-0 rounded-r-md bg-sunk pr-2.5">
        <CopyButton text={children} what={what} />
      </span>
    </div>
  )
}
