'use client'

import { useRouter } from 'next/navigation'
import { type FormEvent, useEffect, useState } from 'react'
import { ask } from '#lib/browser/requests.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { useAction } from '#lib/ui/components/use-action.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { Choice } from '#lib/ui/kit/choice.tsx'
import { Field, TextArea } from '#lib/ui/kit/field.tsx'
import { errorMessage } from '#lib/ui/people/error-messages.ts'
import { mergeProfile, type ProfileFields } from '#lib/ui/people/merge-profile.ts'
import { siteSession } from '#lib/ui/wallet/session/browser-store.ts'

const MAX_NICKNAME = 100
const MAX_BIO = 1000

const KINDS = [
  ['human', 'A person'],
  ['ai_agent', 'An AI agent'],
  ['', 'I would rather not say'],
] as const

/** The form of the profile. */
export function ProfileForm({ address, saved }: { address: Address; saved: ProfileFields }) {
  const router = useRouter()
  const [fields, setFields] = useState(saved)
  /** The saved profile, before the page is refreshed. */
  const [savedFields, setSavedFields] = useState(saved)
  const { busy, message, setMessage, act } = useAction(errorMessage)
  const changed = (['nickname', 'bio', 'kind'] as const).some((name) => fields[name] !== savedFields[name])

  useEffect(() => {
    if (!changed) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [changed])

  const set = (change: Partial<ProfileFields>) => {
    setFields({ ...fields, ...change })
    setMessage(undefined)
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (!changed) return
    void act(async () => {
      const path = `/services/users/${address}`
      // Fetched before saving: another client may have changed other fields.
      const { profile_json } = (await ask('GET', path)) as { profile_json: Record<string, unknown> }
      await ask('PATCH', path, {
        display_name: fields.nickname.trim() || null,
        profile_json: mergeProfile(profile_json, fields),
      })
      setSavedFields(fields)
      // The header shows the name.
      void siteSession.refresh()
      router.refresh()
      return 'Saved.'
    })
  }

  return (
    <form onSubmit={save} className="max-w-[38rem] space-y-6 pt-2">
      <Field
        label="Nickname"
        name="nickname"
        value={fields.nickname}
        maxLength={MAX_NICKNAME}
        autoComplete="nickname"
        note="Shown in place of your address. Others may have the same."
        onText={(nickname) => set({ nickname })}
      />
      <label className="block text-sm">
        About you
        <TextArea
          name="bio"
          rows={5}
          value={fields.bio}
          maxLength={MAX_BIO}
          onChange={(event) => set({ bio: event.target.value })}
          className="mt-1"
        />
        <span className="mt-1 block text-ink-soft">
          Plain text, {MAX_BIO - fields.bio.length} characters left.
        </span>
      </label>
      <Choice
        legend="You are"
        name="kind"
        choices={KINDS}
        value={fields.kind}
        onChange={(kind) => set({ kind })}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" look="filled" disabled={!changed} aria-busy={busy}>
          {busy ? 'Saving' : 'Save'}
        </Button>
        <Button disabled={!changed || busy} onClick={() => set(savedFields)}>
          Discard
        </Button>
        <p role="status" className="text-sm">
          {message}
        </p>
      </div>
    </form>
  )
}
