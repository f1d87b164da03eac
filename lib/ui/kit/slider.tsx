import type { ComponentProps, CSSProperties } from 'react'

/** A number by its place on a line. @param color Of its filled part; by default that of all that is chosen. */
export function Slider({
  min,
  max,
  value,
  onValue,
  color,
  className = '',
  ...rest
}: Omit<ComponentProps<'input'>, 'type' | 'min' | 'max' | 'value' | 'onChange'> & {
  min: number
  max: number
  value: number
  onValue: (value: number) => void
  color?: string | undefined
}) {
  const share = max > min ? (value - min) / (max - min) : 0
  return (
    <input
      type="range"
      min={min}
      max={max}
      value={value}
      onChange={(event) => onValue(event.currentTarget.valueAsNumber)}
      {...rest}
      className={`shuttle min-w-0 touch:h-11 ${className}`}
      style={
        {
          '--fill': `${share * 100}%`,
          ...(color !== undefined && { '--color-accent': color }),
        } as CSSProperties
      }
    />
  )
}
