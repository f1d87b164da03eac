'use client'

import { useEffect, useState } from 'react'
import { counted } from '#lib/browser/format.ts'
import { entityHref } from '#lib/ui/components/entity-href.ts'
import { Notice } from '#lib/ui/components/notice.tsx'
import { Button } from '#lib/ui/kit/button.tsx'
import { quietLink, textLink } from '#lib/ui/kit/link-style.ts'
import { importAgain } from '#lib/ui/kit/missing-chunk.ts'
import { Streams } from '#lib/ui/plots/streams.tsx'
import { PAGE_STREAMS, type Run, UNAVAILABLE } from '#lib/views/run.ts'
import { CountField } from './count-field.tsx'
import { type Choice, choiceHref, Picker } from './picker.tsx'

/** A connector and its particles. Rows are laid out at the choice, so that arriving streams shift nothing. */
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

const CONDITION = /condition not met/i

/** Explains why a run has no particles. */
function Stopped({
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

/** Of a slider. */
const DEBOUNCE_MS = 90

interface RunRequest {
  readonly connector: string
  /** 1..65,536. */
  readonly count: number
}

interface Shown extends RunRequest {
  readonly run: Run
}

/** The client is loaded with the first choice: most readers only see the run that the page came with. */
async function simulate(connector: string, count: number, signal: AbortSignal): Promise<Run> {
  const client = await importAgain(() => import('#lib/ui/run/requests.ts')).catch(() => undefined)
  signal.throwIfAborted()
  return (
    client?.simulateRun({ connector, count, dynamicRi: [] }, signal) ?? {
      state: 'unavailable',
      message: UNAVAILABLE,
    }
  )
}

/** The run of the newest request: first the delivered one, then simulations by the API. `again` repeats it. */
function useRun(request: RunRequest, delivered: Shown): { shown: Shown; busy: boolean; again: () => void } {
  const { connector, count } = request
  const [attempt, setAttempt] = useState(0)
  const [answer, setAnswer] = useState(() => ({
    ...delivered,
    // The server timed out: the browser retries.
    attempt: delivered.run.state === 'unavailable' ? -1 : 0,
  }))
  const current = answer.connector === connector && answer.count === count && answer.attempt === attempt

  useEffect(() => {
    if (current) return
    const control = new AbortController()
    const timer = setTimeout(() => {
      simulate(connector, count, control.signal).then(
        (run) => setAnswer({ connector, count, run, attempt }),
        () => {
          // Only an aborted run rejects: a newer one has replaced it.
        },
      )
    }, DEBOUNCE_MS)
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [connector, count, attempt, current])

  return { shown: answer, busy: !current, again: () => setAttempt((n) => n + 1) }
}
