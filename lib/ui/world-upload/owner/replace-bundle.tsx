'use client'

import { useState } from 'react'
import type { ComparisonAnswer } from '../../../server/operations/studio/worlds.ts'
import { Button } from '../../components/button.tsx'
import { errorLines } from '../../world/error-messages.ts'
import type { Chosen } from '../bundle/choose.ts'
import { choiceErrorLines, fromDrop, fromFiles, packBundle } from '../bundle/from-input.ts'
import { ChosenFiles, DropZone, type Work, WorkStatus } from '../drop-zone.tsx'
import { compareBundle, replaceBundle } from '../requests.ts'
import { BundleDiff } from './bundle-diff.tsx'

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
          look="primary"
          // Not disabled while it works: that would take the focus away.
          onClick={() => (state.at === 'compared' ? replace(compared.bundle, compared.diff) : undefined)}
        >
          {state.at === 'replacing' ? 'Replacing…' : 'Replace it'}
        </Button>
      ) : null}
    </div>
  )
}
