'use client'

import { Dices } from 'lucide-react'
import { Children, type ReactNode, useRef } from 'react'
import { formatInteger } from '#lib/browser/format.ts'
import { newId } from '#lib/studio/document/types.ts'
import { IconButton } from '#lib/ui/kit/icon-button.tsx'
import { Slider } from '#lib/ui/kit/slider.tsx'

/**
 * A number as a slider, with its name and value.
 *
 * @param value Undefined while the text of the number is none.
 * @param onValue Called with every new value, and with the id of the hold that it is a part of: all values between
 * a press and its release are one change.
 * @param color Of what it turns, as a CSS colour; by default that of all that is chosen.
 * @param children Beside the value.
 */
export function KnobSlider({
  name,
  value,
  min,
  max,
  onValue,
  color,
  children,
}: {
  name: string
  value: number | undefined
  min: number
  max: number
  onValue: (value: number, hold: string | undefined) => void
  color?: string | undefined
  children?: ReactNode
}) {
  const hold = useRef<string>(undefined)
  const shown = Math.max(min, Math.min(max, value ?? min))
  const release = () => {
    hold.current = undefined
  }
  return (
    <div className="min-w-0">
      <div className="flex min-h-8 items-center gap-1 text-sm">
        <span className="line-clamp-2 min-w-0 flex-1 leading-4 [overflow-wrap:anywhere]" title={name}>
          {name || 'no name'}
        </span>
        <span className="mono text-xs">{value === undefined ? 'no number' : formatInteger(value)}</span>
        {children}
      </div>
      <Slider
        onValue={(next) => onValue(next, hold.current)}
        color={color}
        aria-label={name || 'Knob without a name'}
        min={min}
        max={max}
        value={shown}
        onPointerDown={() => {
          hold.current = newId()
        }}
        onPointerUp={release}
        onPointerCancel={release}
        className="w-full"
      />
    </div>
  )
}

/** Columns of so many knobs, where those of any number would leave a row uneven. */
const EVEN: Readonly<Record<number, string>> = {
  2: '@md:grid-cols-2',
  4: '@md:grid-cols-2 @xl:grid-cols-4',
}

/** Knobs in columns, with a dice that sets all of them by chance. */
export function KnobRow({
  onDice,
  className = '',
  children,
}: {
  onDice: () => void
  className?: string
  children: ReactNode
}) {
  return (
    <section aria-label="Knobs" className={`@container flex items-start gap-5 ${className}`}>
      <div
        className={`grid min-w-0 flex-1 grid-cols-1 gap-x-5 gap-y-1 @2xs:grid-cols-2 @2xs:@max-md:[&>:last-child:nth-child(odd)]:col-span-2 ${EVEN[Children.count(children)] ?? '@md:grid-cols-3'}`}
      >
        {children}
      </div>
      <IconButton
        look="outline"
        size="min-h-10 min-w-10 px-1 py-1 text-[0.6875rem] leading-3 [&>svg]:size-5"
        label="Throw the dice"
        title="Set every knob by chance"
        onClick={onDice}
      >
        <Dices aria-hidden="true" />
        Dice
      </IconButton>
    </section>
  )
}
