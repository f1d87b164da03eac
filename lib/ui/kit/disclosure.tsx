import { ChevronRight } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from './button.tsx'

/** A button that shows or hides what stands below it. */
export function Disclosure({
  open,
  onOpen,
  className = '',
  children,
  ...rest
}: Omit<ComponentProps<'button'>, 'onClick' | 'aria-expanded'> & {
  open: boolean
  onOpen: (open: boolean) => void
}) {
  return (
    <Button
      look="text"
      size="small"
      {...rest}
      aria-expanded={open}
      onClick={() => onOpen(!open)}
      className={`gap-1 px-2 font-normal ${className}`}
    >
      <ChevronRight className={`size-4 transition-transform ${open ? 'rotate-90' : ''}`} aria-hidden="true" />
      {children}
    </Button>
  )
}
