/**
 * Narrows the list below it while people type a part of a name.
 *
 * @param label Says what is looked for.
 * @param className What it looks like where it stands.
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
      className={`min-h-9 w-full rounded-md border border-edge bg-raised px-2 text-sm pointer-coarse:min-h-11 ${className}`}
    />
  )
}
