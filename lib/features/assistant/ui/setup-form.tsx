'use client'

import { useEffect, useState } from 'react'
import { Button } from '#lib/ui/kit/button.tsx'
import { Check, Choice } from '#lib/ui/kit/choice.tsx'
import { Field } from '#lib/ui/kit/field.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import {
  API_URLS,
  type ApiName,
  addressProblem,
  type Endpoint,
  keyProblem,
  storeEndpoint,
} from './conversation/endpoint.ts'

const APIS: readonly (readonly [ApiName, string])[] = [
  ['anthropic', 'Anthropic'],
  ['openai', 'OpenAI or compatible'],
]

/**
 * The reader's model: its API, address, name and key.
 *
 * @param endpoint The stored one; undefined for none.
 */
export function SetupForm({
  endpoint,
  allowed,
  onDone,
}: {
  endpoint: Endpoint | undefined
  allowed: readonly string[]
  onDone: () => void
}) {
  const [draft, setDraft] = useState<Endpoint>(
    endpoint ?? { api: 'anthropic', url: API_URLS.anthropic, model: '', key: '', pictures: true },
  )
  const [problem, setProblem] = useState('')
  // Forgotten here or in another tab, it leaves the field too.
  useEffect(() => {
    if (endpoint === undefined) setDraft((before) => ({ ...before, key: '' }))
  }, [endpoint])
  const change = (next: Partial<Endpoint>) => setDraft({ ...draft, ...next })
  const trimmed: Endpoint = {
    ...draft,
    url: draft.url.trim(),
    model: draft.model.trim(),
    key: draft.key.trim(),
  }
  const isPlain = trimmed.url.startsWith('http:')

  return (
    <form
      // A password manager would offer to keep it elsewhere.
      autoComplete="off"
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        const firstProblem =
          addressProblem(trimmed.url, allowed) ??
          (trimmed.model === '' ? 'Write the name of a model.' : undefined) ??
          keyProblem(trimmed, endpoint)
        setProblem(firstProblem ?? '')
        if (firstProblem !== undefined) return
        storeEndpoint(trimmed)
        onDone()
      }}
    >
      <div className="min-h-0 flex-1 space-y-4 overflow-y-auto p-3">
        <p className="text-sm">
          The assistant is a model of your choice, with your own key. Key, words and music go from this
          browser to that address and nowhere else; the key is kept in this browser only.{' '}
          <a className={textLink} href="/docs/assistant">
            How it works
          </a>
        </p>
        <Choice
          legend="API"
          name="assistant-api"
          choices={APIS}
          value={draft.api}
          onChange={(api) =>
            // A key is of one provider: it does not go to another one.
            change({
              api,
              key: '',
              ...(Object.values(API_URLS).includes(draft.url) && { url: API_URLS[api] }),
            })
          }
        />
        <Field
          label="Address"
          note="A model on your machine: for example http://localhost:11434/v1, with “OpenAI or compatible”."
          code
          inputMode="url"
          maxLength={500}
          value={draft.url}
          onText={(url) => change({ url })}
        />
        <Field
          label="Model"
          note="Its name at that API. It has to know tools."
          code
          maxLength={200}
          value={draft.model}
          onText={(model) => change({ model })}
        />
        <Field
          label="Key"
          note={
            isPlain
              ? 'Empty where the server wants none.'
              : 'You are charged by the API for what the assistant does.'
          }
          code
          type="password"
          maxLength={500}
          value={draft.key}
          onText={(key) => change({ key })}
        />
        <Check onCheck={(pictures) => change({ pictures })} checked={draft.pictures} className="min-h-11">
          The model can see pictures
        </Check>
      </div>
      <div className="shrink-0 space-y-2 border-line border-t p-3">
        {problem === '' ? null : (
          <p role="alert" className="text-accent text-sm [overflow-wrap:anywhere]">
            {problem}
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="filled">
            Save in this browser
          </Button>
          {endpoint === undefined ? null : (
            <>
              <Button onClick={onDone}>Back</Button>
              <Button onClick={() => storeEndpoint(undefined)}>Forget the key</Button>
            </>
          )}
        </div>
      </div>
    </form>
  )
}
