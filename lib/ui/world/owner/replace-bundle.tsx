'use client'

import { useState } from 'react'
import type { ComparisonAnswer } from '../../../api/studio/worlds-schemas.ts'
import { Button } from '../../button.tsx'
import type { Chosen } from '../../world-upload/bundle/chosen.ts'
import { fromDrop, fromFiles } from '../../world-upload/bundle/from-input.ts'
import { linesOfChoice, packBundle } from '../../world-upload/bundle/pack-bundle.ts'
import { ChosenFiles } from '../../world-upload/chosen-files.tsx'
import { DropZone } from '../../world-upload/drop-zone.tsx'
import { type Work, WorkSign } from '../../world-upload/work-sign.tsx'
import { BundleDiff } from './bundle-diff.tsx'
import { linesOf } from './in-words.ts'
import { compareBundle, replaceBundle } from './requests.ts'

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
      setProblems(linesOfChoice(error))
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
        setProblems(linesOf(error))
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
        {state.at === 'working' ? <WorkSign work={state.work} /> : null}
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
