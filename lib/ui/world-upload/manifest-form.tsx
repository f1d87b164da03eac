'use client'

import { useId } from 'react'
import { canonicalPermission } from '#lib/protocol/world-manifest.ts'
import type { ManifestAnswer } from '#lib/server/operations/studio/worlds.ts'
import { Button } from '#lib/ui/components/button.tsx'
import { useAnswer } from '#lib/ui/components/use-answer.ts'
import { PERMISSIONS } from '#lib/ui/world/permissions.tsx'
import type { ChosenFile } from './bundle/choose.ts'
import { ChoiceField, FileField, TextField } from './manifest-fields.tsx'
import { pagesOf, picturesOf, readFields, withField } from './manifest-text.ts'
import { type Problem, readProblem } from './problems.ts'
import { checkManifest } from './requests.ts'

const SURFACES = [
  { name: 'world-page', words: 'A page of its own', has: (name: string) => name === 'world-page' },
  {
    name: 'studio-plugin',
    words: 'The studio, beside a connector',
    has: (name: string) => name === 'studio-plugin',
  },
]

const PERMISSION_CHOICES = PERMISSIONS.map(({ name, words }) => ({
  name,
  words,
  has: (spelled: string) => canonicalPermission(spelled) === name,
}))

/** Optional texts: removed when empty. */
const OPTIONAL = new Set(['shortDescription', 'accentColor'])

/** `world-manifest.json` as a form and as text, validated while it is edited. */
export function ManifestForm({
  text,
  files,
  changed,
  onText,
  onTry,
}: {
  text: string
  files: readonly ChosenFile[]
  /** Whether it differs from the last preview's. */
  changed: boolean
  onText: (text: string) => void
  onTry: () => void
}) {
  const asText = useId()
  const { problems, warnings, current, asked } = useManifestCheck(text)
  const fields = readFields(text)
  const set = (field: string) => (value: unknown) =>
    onText(withField(text, field, value === '' && OPTIONAL.has(field) ? undefined : value))
  const whole = problems.filter(({ place }) => place === undefined)
  const field = (name: string, label: string, note?: string) => ({
    field: name,
    label,
    problems,
    value: fields?.[name],
    ...(note !== undefined && { note }),
  })
  return (
    <form
      className="space-y-6"
      onSubmit={(event) => {
        event.preventDefault()
        onTry()
      }}
    >
      {fields ? (
        <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
          <TextField {...field('name', 'Name')} onText={set('name')} />
          <TextField
            {...field('slug', 'Slug', 'The end of its address: small letters, digits, dashes')}
            onText={set('slug')}
          />
          <TextField {...field('version', 'Version', 'Like 1.2.3')} onText={set('version')} />
          <TextField {...field('shortDescription', 'In a sentence')} onText={set('shortDescription')} />
          <div className="sm:col-span-2">
            <TextField {...field('description', 'Description')} multiline onText={set('description')} />
          </div>
          <FileField
            {...field('entry', 'Page it begins with')}
            paths={pagesOf(files)}
            onPath={set('entry')}
          />
          <FileField
            {...field('preview', 'Picture', 'PNG, JPEG or WebP, at most 8 MiB')}
            paths={picturesOf(files)}
            none="None"
            onPath={set('preview')}
          />
          <ChoiceField
            {...field('surfaces', 'Where it is shown')}
            choices={SURFACES}
            onWords={set('surfaces')}
          />
          <ChoiceField
            {...field('permissions', 'What it may do')}
            choices={PERMISSION_CHOICES}
            onWords={set('permissions')}
          />
        </div>
      ) : null}
      <details open={fields === undefined || undefined} className="border-line border-y">
        <summary className="min-h-11 cursor-pointer py-2.5 text-sm">
          As text, with what it draws and its limits
        </summary>
        <label htmlFor={asText} className="sr-only">
          The manifest as text
        </label>
        <textarea
          id={asText}
          rows={18}
          spellCheck={false}
          value={text}
          aria-invalid={whole.length > 0 || undefined}
          onChange={(event) => onText(event.currentTarget.value)}
          className="mono mb-3 w-full rounded-md border border-edge bg-raised p-3 text-xs"
        />
      </details>
      <div role="status" className="space-y-1 text-sm [overflow-wrap:anywhere]">
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
      <Button type="submit" look={changed ? 'primary' : 'plain'}>
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
