'use client'

import { useState } from 'react'
import { Button } from '../../../lib/ui/components/button.tsx'
import { entityHref } from '../../../lib/ui/components/entity-href.ts'
import { counted } from '../../../lib/ui/components/format.ts'
import { quietLink } from '../../../lib/ui/components/link-style.ts'
import { Streams } from '../../../lib/ui/components/streams.tsx'
import { PAGE_STREAMS } from '../../../lib/views/run.ts'
import { CountField } from './count-field.tsx'
import { type Choice, choiceHref, Picker } from './picker.tsx'
import { Stopped } from './stopped.tsx'
import { type RunRequest, type Shown, useRun } from './use-run.ts'

/**
 * A connector and its particles. Rows are laid out at the choice, so that arriving streams shift nothing.
 */
export function Loom({
  choices,
  request: first,
  delivered,
}: {
  choices: readonly Choice[]
  request: RunRequest
  delivered: Shown
}) {
  const [request, setAsked] = useState(first)
  const [more, setMore] = useState(PAGE_STREAMS)
  const { shown, busy, again } = useRun(request, delivered)
  const choice = choices.find(({ name }) => name === request.connector)
  const { run } = shown

  const ask = (next: RunRequest) => {
    if (next.connector !== request.connector) setMore(PAGE_STREAMS)
    setAsked(next)
    history.replaceState(null, '', choiceHref(next.connector, next.count).replace('#particles', ''))
  }
  const streams = run.state === 'particles' ? run.streams : []
  const same = shown.connector === request.connector
  const paths = same && run.state === 'particles' ? run.paths : (choice?.paths ?? Math.max(1, streams.length))
  const rows = Math.min(paths, more)

  return (
    <div className="grid gap-x-12 gap-y-6 lg:grid-cols-[18rem_minmax(0,1fr)]">
      <div className="min-w-0">
        <Picker
          choices={choices}
          connector={request.connector}
          count={request.count}
          onChoose={(connector) => ask({ ...request, connector })}
        />
        <form
          action="/#particles"
          className="mt-4 flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            const name = new FormData(event.currentTarget).get('connector')
            if (typeof name === 'string' && name.trim() !== '') ask({ ...request, connector: name.trim() })
          }}
        >
          <label className="min-w-0 flex-1 text-sm">
            Any other, by name
            <input
              name="connector"
              required
              maxLength={128}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              className="mono mt-1 block min-h-11 w-full rounded-md border border-edge bg-raised px-3 text-sm"
            />
          </label>
          <input type="hidden" name="count" value={request.count} />
          <Button type="submit">Show</Button>
        </form>
      </div>
      <div className="min-h-[32rem] min-w-0">
        <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-2 border-ink border-b-2 pb-3">
          <div className="min-w-0">
            <h3 className="mono font-medium text-xl [overflow-wrap:anywhere]">
              {run.state === 'unknown' ? (
                request.connector
              ) : (
                <a className={quietLink} href={entityHref('connector', request.connector)}>
                  {request.connector}
                </a>
              )}
            </h3>
            <p role="status" className="text-ink-soft text-sm">
              {busy
                ? 'Simulating…'
                : run.state === 'particles'
                  ? `${counted(run.paths, 'path')}, ${counted(shown.count, 'particle')} each`
                  : 'No particles'}
            </p>
          </div>
          <CountField
            connector={request.connector}
            count={request.count}
            onCount={(count) => ask({ ...request, count })}
          />
        </div>
        {run.state === 'particles' || (busy && !same) ? (
          <>
            <Streams streams={streams} rows={rows} count={shown.count} busy={busy} />
            {paths > rows ? (
              <Button
                className="scripted mt-4"
                onClick={() => {
                  setMore(more + PAGE_STREAMS)
                  // The page came with the first streams only.
                  if (streams.length < Math.min(paths, more + PAGE_STREAMS)) again()
                }}
              >
                Show more of {counted(paths, 'path')}
              </Button>
            ) : null}
          </>
        ) : (
          <div className="pt-6">
            <Stopped run={run} connector={shown.connector} choice={choice} again={again} />
          </div>
        )}
      </div>
    </div>
  )
}
