import type { Comparison } from './verdict.ts'

/** What should come out beside what does, number by number. */
export function ComparisonTable({ comparisons }: { comparisons: readonly Comparison[] }) {
  return (
    <div className="space-y-2">
      {comparisons.map(({ label, expected, found }) => (
        <div key={label} className="overflow-x-auto rounded-md border border-line">
          <table className="w-full text-xs">
            <caption className="mono px-2 pt-1 text-left text-ink-soft [overflow-wrap:anywhere]">
              {label}
            </caption>
            <tbody className="mono">
              <Row name="wanted" values={expected} />
              <Row name="yours" values={expected.map((_, index) => found?.[index])} wanted={expected} />
            </tbody>
          </table>
        </div>
      ))}
    </div>
  )
}

function Row({
  name,
  values,
  wanted,
}: {
  name: string
  values: readonly (number | undefined)[]
  wanted?: readonly number[]
}) {
  return (
    <tr>
      <th scope="row" className="px-2 py-1 text-left font-normal font-sans text-ink-soft">
        {name}
      </th>
      {values.map((value, index) => {
        const wrong = wanted !== undefined && value !== wanted[index]
        return (
          <td
            // biome-ignore lint/suspicious/noArrayIndexKey: a number is its place
            key={index}
            className={`px-1 py-1 text-right ${wrong && value !== undefined ? 'text-madder underline decoration-2 underline-offset-4' : ''}`}
          >
            {value ?? '·'}
          </td>
        )
      })}
    </tr>
  )
}
