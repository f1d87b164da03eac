import { formatInteger } from './format.ts'

/** A count with its name, for use inside a `<dl>`. */
export function Stat({ label, value }: { label: string; value: number }) {
  return (
    <div className="flex min-w-0 flex-col-reverse gap-1 border-line border-l-2 py-1 pl-4">
      <dt className="text-ink-soft text-sm">{label}</dt>
      <dd className="mono font-medium text-2xl tracking-tight">{formatInteger(value)}</dd>
    </div>
  )
}
