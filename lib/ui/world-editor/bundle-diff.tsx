import { counted } from '#lib/browser/format.ts'
import type { ComparisonAnswer } from '#lib/server/operations/studio/worlds.ts'
import { formatBytes } from '#lib/ui/world/error-messages.ts'
import { describePermissions } from '#lib/ui/world/permissions.tsx'

/** Changes that replacing a bundle would make: permissions first, because they matter most to visitors. */
export function BundleDiff({ diff }: { diff: ComparisonAnswer }) {
  const { permissions, changes, unchanged, size, version, fields } = diff
  return (
    <div className="space-y-4 text-sm">
      {diff.same ? <p>These are the files that are published already; nothing would change.</p> : null}
      <Permissions title="It gains" names={permissions.gained} strong />
      <Permissions title="It gives up" names={permissions.lost} />
      <p>
        Version <code>{version.before}</code> becomes <code>{version.after}</code>, {formatBytes(size.before)}{' '}
        become {formatBytes(size.after)}.
        {fields.length > 0 ? ` The manifest also changes: ${fields.join(', ')}.` : ''}
      </p>
      {changes.length > 0 ? (
        <table className="w-full">
          <caption className="pb-1 text-left font-medium">
            {counted(changes.length, 'file')} {changes.length === 1 ? 'differs' : 'differ'}, {unchanged}{' '}
            unchanged
          </caption>
          <thead className="sr-only">
            <tr>
              <th scope="col">File</th>
              <th scope="col">Change</th>
              <th scope="col">Size</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ path, before, after }) => (
              <tr key={path} className="border-line border-t align-baseline">
                <th scope="row" className="mono py-1.5 pr-3 text-left font-normal [overflow-wrap:anywhere]">
                  {path}
                </th>
                <td className="py-1.5 pr-3">
                  {before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'}
                </td>
                <td className="py-1.5 text-right text-ink-soft">
                  {[before, after]
                    .filter((bytes) => bytes !== undefined)
                    .map(formatBytes)
                    .join(' → ')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
    </div>
  )
}

function Permissions({
  title,
  names,
  strong = false,
}: {
  title: string
  names: readonly string[]
  strong?: boolean
}) {
  if (names.length === 0) return null
  return (
    <div className={strong ? 'border-madder border-l-2 pl-3' : 'border-line border-l-2 pl-3'}>
      <p className="font-medium">{title}</p>
      <ul>
        {describePermissions(names).map(({ name, words }) => (
          <li key={name}>
            {words} <code className="text-ink-soft text-xs">{name}</code>
          </li>
        ))}
      </ul>
    </div>
  )
}
