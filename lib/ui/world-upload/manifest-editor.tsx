'use client'

import { useId } from 'react'
import type { ManifestAnswer } from '#lib/server/operations/studio/worlds.ts'
import { useAnswer } from '#lib/ui/components/use-answer.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { TextArea } from '#lib/ui/kit/field.tsx'
import { type Problem, readProblem } from './problems.ts'
import { checkManifest } from './requests.ts'

/** `world-manifest.json` as text, validated while it is edited. */
export function ManifestEditor({
  text,
  changed,
  onText,
  onTry,
}: {
  text: string
  /** Whether it differs from the last preview's. */
  changed: boolean
  onText: (text: string) => void
  onTry: () => void
}) {
  const id = useId()
  const { problems, warnings, current, asked } = useManifestCheck(text)
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault()
        onTry()
      }}
    >
      <div>
        <label htmlFor={id} className="block pb-1 text-sm">
          world-manifest.json
        </label>
        <TextArea
          wrong={problems.length > 0}
          code
          id={id}
          rows={18}
          value={text}
          aria-describedby={`${id}-problems`}
          onText={onText}
          className="text-xs"
        />
      </div>
      <div id={`${id}-problems`} role="status" className="space-y-1 text-sm [overflow-wrap:anywhere]">
        {asked ? null : <p>The site does not answer, so nothing is checked while you type.</p>}
        {current && asked && problems.length === 0 ? (
          <p className="text-verdigris">The manifest is valid.</p>
        ) : null}
        {problems.length > 0 ? (
          <>
            <p className="text-madder">
              {problems.length === 1 ? 'One thing is wrong' : `${problems.length} things are wrong`} with the
              manifest.
            </p>
            <ul className="list-disc pl-5">
              {problems.map(({ place, text: words }) => (
                <li key={`${place} ${words}`}>
                  {place ? <code>{place}: </code> : null}
                  {words}
                </li>
              ))}
            </ul>
          </>
        ) : null}
        {problems.length === 0
          ? warnings.map((words) => (
              <p key={words} className="text-ink-soft">
                {words}
              </p>
            ))
          : null}
      </div>
      <Button type="submit" look={changed ? 'filled' : 'outline'}>
        {changed ? 'Try it with this manifest' : 'Try it again'}
      </Button>
    </form>
  )
}

const DEBOUNCE_MS = 300

interface ManifestCheck {
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
  /** Whether the result is of the current text. */
  readonly current: boolean
  /** Whether the request succeeded. */
  readonly asked: boolean
}

/** The validation of a manifest while it is typed. */
function useManifestCheck(text: string): ManifestCheck {
  const known = useAnswer(
    text,
    (): Promise<ManifestAnswer | undefined> => checkManifest(text).catch(() => undefined),
    DEBOUNCE_MS,
  )
  const { problems = [], warnings = [], refusal } = known?.value ?? {}
  const slug = refusal === undefined ? [] : [{ file: undefined, place: 'slug', text: refusal }]
  return {
    problems: [...problems.map(readProblem), ...slug],
    warnings,
    current: known?.key === text,
    asked: known === undefined || known.value !== undefined,
  }
}
