'use client'

import { Button } from '../../../lib/ui/components/button.tsx'
import { textLink } from '../../../lib/ui/components/link-style.ts'
import { Notice } from '../../../lib/ui/components/notice.tsx'
import type { Run } from '../../../lib/views/run.ts'
import type { Choice } from './picker.tsx'

const CONDITION = /condition not met/i

/** Explains why a run has no particles. */
export function Stopped({
  run,
  connector,
  choice,
  again,
}: {
  run: Exclude<Run, { state: 'particles' }>
  connector: string
  choice: Choice | undefined
  again: () => void
}) {
  if (run.state === 'unknown') {
    return (
      <Notice title="No connector has this name">
        <p>
          Nothing called <code>{connector}</code> is published or drafted here. Names are case-sensitive;
          choose one from the list, or{' '}
          <a className={textLink} href="/docs/api">
            draft it through the API
          </a>
          .
        </p>
      </Notice>
    )
  }
  if (run.state === 'unavailable') {
    return (
      <Notice title="No answer from the simulator">
        <p>{run.message} The connector itself is untouched; only this picture of it is missing.</p>
        <Button onClick={again} className="scripted">
          Try again
        </Button>
      </Notice>
    )
  }
  if (CONDITION.test(run.message)) {
    return (
      <Notice title="Condition not met">
        <p>
          Before it generates, <code>{connector}</code> asks{' '}
          {choice?.conditionName ? (
            <code>
              {choice.conditionName}({choice.conditionArgs.join(', ')})
            </code>
          ) : (
            'its condition'
          )}
          . The answer is no, so it stops before its first particle, here exactly as on chain.
        </p>
        <p>Nothing is broken: this is how a connector says that it does not hold for these arguments.</p>
      </Notice>
    )
  }
  return (
    <Notice title="The connector stopped">
      <p>
        <code>{run.message}</code>
      </p>
      <p>It gives this same answer on chain. Fewer particles may stay clear of the step that stops it.</p>
    </Notice>
  )
}
