/**
 * A search field that filters the list below it.
 *
 * @param label Accessible name.
 * @param className Additional classes.
 */
export function NarrowingField({
  label,
  value,
  onText,
  className = '',
}: {
  label: string
  value: string
  onText: (text: string) => void
  className?: string
}) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder="Name"
      value={value}
      maxLength={128}
      autoCapitalize="none"
      spellCheck={false}
      onChange={(event) => onText(event.currentTarget.value)}
      className={`min-h-9 w-full rounded-md border border-edge bg-raised px-2 text-sm touch:min-h-11 ${className}`}
    />
  )
}
