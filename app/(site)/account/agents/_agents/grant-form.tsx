'use client'

import { type FormEvent, useState } from 'react'
import { parseEther, toHex } from 'viem'
import { type Address, ENTITY_KINDS, type EntityKind } from '#lib/protocol/entity.ts'
import { grantJson } from '#lib/protocol/publishing-grant.ts'
import type { GrantAnswer } from '#lib/server/operations/chain/grants.ts'
import type { GrantRequest, GrantsAnswer } from '#lib/server/operations/studio/grants.ts'
import { siteClock } from '#lib/ui/components/site-clock.ts'
import { useAction } from '#lib/ui/components/use-action.ts'
import { publishErrorMessage, readyWallet } from '#lib/ui/studio/publish/own-wallet.ts'
import { ask } from '#lib/ui/wallet/session/requests.ts'
import { Field, Submit } from '../../_parts/field.tsx'

const EMPTY = { name: '', agent: '', publications: '20', budget: '0.01', days: '30' }
const DAY_S = 86_400

const NUMBERS = [
  ['publications', 'Publications, at most', /^\d{1,5}$/],
  ['budget', 'Cost in all, at most', /^\d+(\.\d{1,18})?$/],
  ['days', 'Days until it ends', /^\d{1,3}$/],
] as const

/** The form that signs a grant in the wallet and stores it. */
export function GrantForm({
  account,
  domain,
  onCreate,
}: {
  account: Address
  domain: NonNullable<GrantsAnswer['domain']>
  onCreate: (made: GrantAnswer) => void
}) {
  const [fields, setFields] = useState(EMPTY)
  const [kinds, setKinds] = useState<readonly EntityKind[]>(ENTITY_KINDS)
  const { busy, said, say, act } = useAction(publishErrorMessage)
  const set = (change: Partial<typeof EMPTY>) => {
    setFields({ ...fields, ...change })
    say(undefined)
  }
  const create = (event: FormEvent) => {
    event.preventDefault()
    void act(async () => {
      const wrong = problemOf(fields, kinds)
      if (wrong !== undefined) return wrong
      onCreate(await signAndStore(account, domain, fields, kinds))
      setFields(EMPTY)
    })
  }
  return (
    <form onSubmit={create} className="max-w-[38rem] space-y-5 pt-2 text-sm">
      <Field label="Name" required maxLength={80} value={fields.name} onText={(name) => set({ name })} />
      <Field
        label="Account of the agent"
        required
        maxLength={42}
        value={fields.agent}
        placeholder="0x…"
        code
        note="Its own key, which it keeps; it needs no coins. Never give it yours."
        onText={(agent) => set({ agent })}
      />
      <fieldset>
        <legend>It may publish</legend>
        <div className="mt-1 flex flex-wrap gap-x-6">
          {ENTITY_KINDS.map((kind) => (
            <label key={kind} className="inline-flex min-h-11 items-center gap-2">
              <input
                type="checkbox"
                checked={kinds.includes(kind)}
                onChange={({ target }) =>
                  setKinds(target.checked ? [...kinds, kind] : kinds.filter((each) => each !== kind))
                }
                className="size-4 accent-accent"
              />
              {kind}s
            </label>
          ))}
        </div>
      </fieldset>
      <div className="grid gap-5 sm:grid-cols-3">
        {NUMBERS.map(([key, label]) => (
          <Field
            key={key}
            label={key === 'budget' ? `${label} (${domain.currency})` : label}
            required
            inputMode="decimal"
            value={fields[key]}
            code
            onText={(text) => set({ [key]: text })}
          />
        ))}
      </div>
      <p className="text-ink-soft">
        This site pays, from what it pays for your own publications in a day. One signature allows it.
      </p>
      <Submit disabled={busy} said={said}>
        {busy ? 'Sign in the wallet…' : 'Sign and allow'}
      </Submit>
    </form>
  )
}

function problemOf(fields: typeof EMPTY, kinds: readonly EntityKind[]): string | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(fields.agent.trim())) return 'The account must be 0x and 40 hex digits.'
  if (kinds.length === 0) return 'Choose what it may publish.'
  const wrong = NUMBERS.find(([key, , form]) => !form.test(fields[key].trim()))
  return wrong && `${wrong[1]}: that must be a number.`
}

async function signAndStore(
  account: Address,
  domain: NonNullable<GrantsAnswer['domain']>,
  fields: typeof EMPTY,
  chosen: readonly EntityKind[],
): Promise<GrantAnswer> {
  const agent = fields.agent.trim().toLowerCase() as Address
  const kinds = [...chosen].sort()
  const publications = Number(fields.publications)
  const budget = parseEther(fields.budget.trim())
  const expires = Math.floor(siteClock.now() / 1000) + Number(fields.days) * DAY_S
  const salt = toHex(crypto.getRandomValues(new Uint8Array(32)))
  const wallet = await readyWallet(account)
  const signature = await wallet.signTypedData(
    account,
    grantJson(
      { owner: account, agent, kinds, publications, budget, expires, salt },
      { chainId: domain.chain_id, registry: domain.registry as Address, site: domain.site },
    ),
  )
  const request: GrantRequest = {
    name: fields.name,
    agent,
    kinds,
    publications,
    budget: String(budget),
    expires,
    salt,
    signature,
  }
  return (await ask('POST', '/studio/api/grants', request)) as GrantAnswer
}
