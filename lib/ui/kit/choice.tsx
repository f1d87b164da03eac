import type { ComponentProps, ReactNode } from 'react'

type Mark = Omit<ComponentProps<'input'>, 'type' | 'onChange'> & { children: ReactNode }

function Marked({
  type,
  className = '',
  children,
  ...rest
}: Mark & Pick<ComponentProps<'input'>, 'onChange'> & { type: 'checkbox' | 'radio' }) {
  return (
    <label
      className={`flex cursor-pointer items-center text-sm [:where(&)]:min-h-9 [:where(&)]:gap-2 touch:min-h-11 ${className}`}
    >
      <input type={type} {...rest} className="size-4 shrink-0 accent-accent" />
      {children}
    </label>
  )
}

/** A box to tick, with its words. @param className Of the line. */
export function Check({ onCheck, ...rest }: Mark & { onCheck?: (checked: boolean) => void }) {
  return (
    <Marked
      type="checkbox"
      {...rest}
      {...(onCheck && { onChange: (event) => onCheck(event.currentTarget.checked) })}
    />
  )
}

/** One of several radio buttons, with its words. @param className Of the line. */
export function Radio({ onChoose, ...rest }: Mark & { onChoose?: () => void }) {
  return <Marked type="radio" {...rest} {...(onChoose && { onChange: onChoose })} />
}

interface ChoiceProps<Value extends string> {
  readonly legend: string
  /** Name of the inputs. */
  readonly name: string
  /** Values with their labels. */
  readonly choices: readonly (readonly [value: Value, label: string])[]
  readonly value: Value
  readonly onChange: (value: Value) => void
}

/** One of a few, as radio buttons in a row. */
export function Choice<Value extends string>({
  legend,
  name,
  choices,
  value: chosen,
  onChange,
}: ChoiceProps<Value>) {
  return (
    <fieldset className="text-sm">
      <legend>{legend}</legend>
      <div className="mt-1 flex flex-wrap gap-x-6">
        {choices.map(([value, label]) => (
          <Radio
            key={value}
            name={name}
            value={value}
            checked={chosen === value}
            onChoose={() => onChange(value)}
            className="min-h-11"
          >
            {label}
          </Radio>
        ))}
      </div>
    </fieldset>
  )
}
