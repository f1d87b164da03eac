'use client'

import { type ReactNode, useId } from 'react'
import { ofField, type Problem } from './problems.ts'

const box = 'mt-1 min-h-11 w-full rounded-md border bg-raised px-3 text-sm'

/** Common properties of fields. */
interface FieldProps {
  readonly field: string
  readonly label: string
  readonly note?: string
  readonly problems: readonly Problem[]
}

interface Described {
  readonly id: string
  readonly 'aria-invalid': true | undefined
  readonly 'aria-describedby': string | undefined
  readonly className: string
}

export function TextField({
  value,
  multiline = false,
  onText,
  ...field
}: FieldProps & { value: unknown; multiline?: boolean; onText: (text: string) => void }) {
  const shown = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  return (
    <Described {...field}>
      {(described) =>
        multiline ? (
          <textarea
            {...described}
            rows={3}
            className={`${described.className} py-2`}
            value={shown}
            onChange={(event) => onText(event.currentTarget.value)}
          />
        ) : (
          <input
            {...described}
            autoComplete="off"
            spellCheck={false}
            value={shown}
            onChange={(event) => onText(event.currentTarget.value)}
          />
        )
      }
    </Described>
  )
}

/** A select of files; shows the manifest's value even when there is no such file. */
export function FileField({
  value,
  paths,
  none,
  onPath,
  ...field
}: FieldProps & {
  value: unknown
  paths: readonly string[]
  /** Label of the empty choice, if allowed. */
  none?: string
  onPath: (path: string | undefined) => void
}) {
  const named = typeof value === 'string' ? value : ''
  return (
    <Described {...field}>
      {(described) => (
        <select
          {...described}
          value={named}
          onChange={(event) => onPath(event.currentTarget.value || undefined)}
        >
          {none !== undefined || named === '' ? <option value="">{none ?? 'Choose one'}</option> : null}
          {named !== '' && !paths.includes(named) ? (
            <option value={named}>{named} (no such file)</option>
          ) : null}
          {paths.map((path) => (
            <option key={path} value={path}>
              {path}
            </option>
          ))}
        </select>
      )}
    </Described>
  )
}

/** Checkboxes of words; unknown words of the manifest are shown, to be removed. */
export function ChoiceField({
  value,
  choices,
  onWords,
  field,
  label,
  problems,
}: FieldProps & {
  value: unknown
  choices: readonly {
    readonly name: string
    readonly words: string
    readonly has: (name: string) => boolean
  }[]
  onWords: (words: readonly string[]) => void
}) {
  const listed = Array.isArray(value) ? value.filter((word) => typeof word === 'string') : []
  const strange = listed.filter((word) => !choices.some(({ has }) => has(word)))
  const boxes = [
    ...choices.map(({ name, words, has }) => ({ name, words, has, odd: false })),
    ...strange.map((name) => ({ name, words: 'unknown', has: (word: string) => word === name, odd: true })),
  ]
  return (
    <fieldset className="min-w-0">
      <legend className="pb-1 text-sm">{label}</legend>
      {boxes.map(({ name, words, has, odd }) => (
        <label key={name} className="flex min-h-9 items-start gap-2 py-1.5 text-sm pointer-coarse:min-h-11">
          <input
            type="checkbox"
            checked={listed.some(has)}
            onChange={(event) =>
              onWords(event.currentTarget.checked ? [...listed, name] : listed.filter((word) => !has(word)))
            }
            className="mt-0.5 size-4 shrink-0 accent-accent"
          />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {odd ? <code>{name}</code> : words}
            {odd ? ' is not known' : null}
          </span>
        </label>
      ))}
      <Problems problems={ofField(problems, field)} />
    </fieldset>
  )
}

function Described({
  field,
  label,
  note,
  problems,
  children,
}: FieldProps & { children: (described: Described) => ReactNode }) {
  const id = useId()
  const own = ofField(problems, field)
  const about = own.length > 0 || note !== undefined ? `${id}-about` : undefined
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="block text-sm">
        {label}
      </label>
      {children({
        id,
        'aria-invalid': own.length > 0 || undefined,
        'aria-describedby': about,
        className: `${box} ${own.length > 0 ? 'border-madder' : 'border-edge'}`,
      })}
      <div id={about}>
        {own.length > 0 ? (
          <Problems problems={own} />
        ) : note ? (
          <p className="pt-1 text-ink-soft text-xs">{note}</p>
        ) : null}
      </div>
    </div>
  )
}

function Problems({ problems }: { problems: readonly Problem[] }) {
  return problems.map(({ place, text }) => (
    <p key={`${place} ${text}`} className="pt-1 text-madder text-sm [overflow-wrap:anywhere]">
      {text}
    </p>
  ))
}
