import type { ComponentProps } from 'react'

const looks = {
  large: 'min-h-11 border-edge bg-raised px-3 text-sm',
  small: 'min-h-9 border-edge bg-raised px-2 text-sm touch:min-h-11',
  /** Text until it is pointed at or has the focus. */
  quiet:
    'h-8 appearance-none truncate border-transparent bg-transparent px-1 text-sm hover:border-edge focus:border-edge [field-sizing:content] touch:h-11',
} as const

/** One of several values. The browser's own list, which fingers and screen readers know, and which works in any frame. */
export function Select<T extends string | number>({
  look = 'large',
  options,
  value,
  onValue,
  className = '',
  ...rest
}: Omit<ComponentProps<'select'>, 'value' | 'onChange'> & {
  look?: keyof typeof looks
  options: readonly (readonly [value: T, text: string | number])[]
  value: T
  onValue: (value: T) => void
}) {
  return (
    <select
      {...rest}
      value={value}
      onChange={({ currentTarget: { selectedIndex } }) => {
        const option = options[selectedIndex]
        if (option !== undefined) onValue(option[0])
      }}
      className={`min-w-0 max-w-full cursor-pointer rounded-md border ${looks[look]} ${className}`}
    >
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  )
}
