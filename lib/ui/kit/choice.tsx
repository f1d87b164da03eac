interface Props<Value extends string> {
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
}: Props<Value>) {
  return (
    <fieldset className="text-sm">
      <legend>{legend}</legend>
      <div className="mt-1 flex flex-wrap gap-x-6">
        {choices.map(([value, label]) => (
          <label key={value} className="inline-flex min-h-11 items-center gap-2">
            <input
              type="radio"
              name={name}
              value={value}
              checked={chosen === value}
              onChange={() => onChange(value)}
              className="size-4 accent-accent"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
