'use client'

import { Button } from '../../button.tsx'
import { Notice } from '../../notice.tsx'
import { placeInWords } from './model/in-words.ts'
import type { Place, PreviewResult } from './model/run.ts'

/** Why the newest version has no particles, and where. */
export function Stopped({
  result,
  onShow,
}: {
  result: Exclude<PreviewResult, { outcome: 'particles' }>
  onShow: ((place: Place) => void) | undefined
}) {
  if (result.outcome === 'invalid') {
    return (
      <Notice title="It cannot run yet">
        <ul className="list-disc space-y-1 pl-5">
          {result.problems.map(({ kind, name, message }) => (
            <li key={`${kind} ${name} ${message}`}>
              {message.endsWith('.') ? message : `${message}.`}{' '}
              <span className="text-ink-soft text-sm">
                ({kind} <code>{name}</code>)
              </span>
            </li>
          ))}
        </ul>
      </Notice>
    )
  }
  const { rejection, place } = result
  const show = place && place.kind !== 'start' ? place : undefined
  return (
    <Notice title={rejection.message}>
      {place ? <p>{placeInWords(place)}</p> : null}
      <p>
        {rejection.name === 'ConditionNotMet'
          ? 'Nothing is broken: a connector generates only where its conditions hold, here exactly as on chain.'
          : rejection.name === 'Limit'
            ? 'It ran into a limit of this server. Fewer particles may stay below it.'
            : 'It would give the same answer on chain. Fewer particles may stay clear of the step that stops it.'}
      </p>
      {show && onShow ? <Button onClick={() => onShow(show)}>Show where</Button> : null}
    </Notice>
  )
}
