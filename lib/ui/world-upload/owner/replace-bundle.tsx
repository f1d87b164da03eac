'use client'

import { useState } from 'react'
import { counted } from '#lib/browser/format.ts'
import type { ComparisonAnswer } from '#lib/server/operations/studio/worlds.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { errorLines, formatBytes } from '#lib/ui/world/error-messages.ts'
import { describePermissions } from '#lib/ui/world/permissions.tsx'
import type { Chosen } from '../bundle/choose.ts'
import { choiceErrorLines, fromDrop, fromFiles, packBundle } from '../bundle/from-input.ts'
import { ChosenFiles, DropZone, type Work, WorkStatus } from '../drop-zone.tsx'
import { compareBundle, replaceBundle } from '../requests.ts'

type State =
  | { readonly at: 'choosing' }
  | { readonly at: 'working'; readonly work: Work }
  | { readonly at: 'compared' | 'replacing'; readonly bundle: Blob; readonly diff: ComparisonAnswer }
  | { readonly at: 'replaced' }

/** Other files for a World, as a folder or a ZIP: what they would change is shown before anything does. */
export function ReplaceBundle({ worldId, onReplaced }: { worldId: string; onReplaced: () => void }) {
  const [chosen, setChosen] = useState<Chosen>()
  const [state, setState] = useState<State>({ at: 'choosing' })
  const [problems, setProblems] = useState<readonly string[]>([])

  const compare = async (choosing: Promise<Chosen>) => {
    const doing = (work: Work) => setState({ at: 'working', work })
    setProblems([])
    setChosen(undefined)
    doing({ doing: 'reading' })
    try {
      const next = await choosing
      setChosen(next)
      const bundle = await packBundle(next, undefined, (share) => doing({ doing: 'packing', share }))
      doing({ doing: 'checking' })
      setState({ at: 'compared', bundle, diff: await compareBundle(worldId, bundle) })
    } catch (error) {
      setProblems(choiceErrorLines(error))
      setState({ at: 'choosing' })
    }
  }
  const replace = (bundle: Blob, diff: ComparisonAnswer) => {
    setState({ at: 'replacing', bundle, diff })
    setProblems([])
    replaceBundle(worldId, bundle).then(
      () => {
        setState({ at: 'replaced' })
        onReplaced()
      },
      (error: unknown) => {
        setProblems(errorLines(error))
        setState({ at: 'compared', bundle, diff })
      },
    )
  }
  const compared = 'diff' in state ? state : undefined
  const diff = compared?.diff
  return (
    <div className="space-y-4">
      <DropZone
        compact={chosen ? 'Drop another, or' : 'Drop the new files, or'}
        disabled={state.at === 'working' || state.at === 'replacing' || state.at === 'replaced'}
        onDrop={(data) => void compare(fromDrop(data))}
        onPick={(files) => void compare(fromFiles(files))}
      />
      {chosen ? <ChosenFiles chosen={chosen} /> : null}
      <div role="status" className="space-y-4">
        {state.at === 'working' ? <WorkStatus work={state.work} /> : null}
        {state.at === 'replaced' ? <p className="text-sm">Replaced. The page loads anew…</p> : null}
        {problems.length > 0 ? (
          <ul className="list-disc space-y-1 pl-5 text-madder text-sm [overflow-wrap:anywhere]">
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        ) : null}
        {diff ? <BundleDiff diff={diff} /> : null}
        {diff?.refusal ? <p className="text-madder text-sm">{diff.refusal}.</p> : null}
      </div>
      {compared && !compared.diff.same && compared.diff.refusal === undefined ? (
        <Button
          look="filled"
          // Not disabled while it works: that would take the focus away.
          onClick={() => (state.at === 'compared' ? replace(compared.bundle, compared.diff) : undefined)}
        >
          {state.at === 'replacing' ? 'Replacing…' : 'Replace it'}
        </Button>
      ) : null}
    </div>
  )
}

/** Changes that replacing a bundle would make: permissions first, because they matter most to visitors. */
function BundleDiff({ diff }: { diff: ComparisonAnswer }) {
  const { permissions, changes, unchanged, size, version, fields, warnings } = diff
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
      {warnings.length > 0 ? (
        <div>
          <p className="font-medium">You may want to know</p>
          <ul className="list-disc pl-5">
            {warnings.map((warning) => (
              <li key={warning} className="[overflow-wrap:anywhere]">
                {warning}
              </li>
            ))}
          </ul>
        </div>
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
