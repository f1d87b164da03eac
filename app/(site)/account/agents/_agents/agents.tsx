'use client'

import { useState } from 'react'
import type { Address } from '#lib/protocol/entity.ts'
import type { GrantAnswer } from '#lib/server/operations/chain/grants.ts'
import type { GrantsAnswer } from '#lib/server/operations/studio/grants.ts'
import { Button } from '#lib/ui/components/button.tsx'
import { CopyButton } from '#lib/ui/components/copy-button.tsx'
import { ownerHref } from '#lib/ui/components/entity-href.ts'
import { counted, shortHex } from '#lib/ui/components/format.ts'
import { textLink } from '#lib/ui/components/link-style.ts'
import { Part } from '#lib/ui/components/part.tsx'
import { exactTime } from '#lib/ui/components/time.ts'
import { useAction } from '#lib/ui/components/use-action.ts'
import { amountText } from '#lib/ui/studio/publish/plan.ts'
import { ask } from '#lib/ui/wallet/session/requests.ts'
import { errorMessage } from '../../_parts/error-messages.ts'
import { GrantForm } from './grant-form.tsx'

interface Props {
  readonly account: Address
  readonly saved: GrantsAnswer
  readonly nowMs: number
}

/** The grants of an account, and the form for another. */
export function Agents({ account, saved, nowMs }: Props) {
  const [grants, setGrants] = useState(saved.grants)
  const { domain } = saved
  const replace = (changed: GrantAnswer) =>
    setGrants((before) => [changed, ...before.filter(({ id }) => id !== changed.id)])
  return (
    <div className="space-y-14">
      <Part
        title="Your agents"
        lead="Each publishes under its own address, within its limits; pages say that it is an agent of yours."
      >
        {grants.length === 0 ? (
          <p className="text-ink-soft text-sm">None yet: add one below.</p>
        ) : (
          <ul>
            {grants.map((grant) => (
              <Grant
                key={grant.id}
                grant={grant}
                currency={domain?.currency ?? ''}
                nowMs={nowMs}
                onRevoke={() =>
                  setGrants((before) =>
                    before.map((each) => (each.id === grant.id ? { ...each, revoked: true } : each)),
                  )
                }
              />
            ))}
          </ul>
        )}
      </Part>
      <Part title="Let an agent publish">
        {domain === null ? (
          <p className="text-sm">
            This site does not pay for publications, so an agent here pays from its own account and needs no
            grant.
          </p>
        ) : (
          <GrantForm account={account} domain={domain} onCreate={replace} />
        )}
      </Part>
    </div>
  )
}

function Grant({
  grant,
  currency,
  nowMs,
  onRevoke,
}: {
  grant: GrantAnswer
  currency: string
  nowMs: number
  onRevoke: () => void
}) {
  const { busy, said, act } = useAction(errorMessage)
  const ended = grant.expires * 1000 <= nowMs
  const revoke = () =>
    act(async () => {
      await ask('DELETE', `/studio/api/grants/${grant.id}`)
      onRevoke()
    })
  return (
    <li className="space-y-2 border-line border-t py-5 text-sm first:border-t-0">
      <h3 className="font-medium text-base [overflow-wrap:anywhere]">{grant.name}</h3>
      <p>
        <a className={`${textLink} mono text-xs`} href={ownerHref(grant.agent as Address)}>
          0x{shortHex(grant.agent)}
        </a>{' '}
        may publish {grant.kinds.map((kind) => `${kind}s`).join(', ')} until {exactTime(grant.expires * 1000)}
        .
      </p>
      <p className="text-ink-soft">
        {grant.used_publications} of {counted(grant.publications, 'publication')} used,{' '}
        {amountText(BigInt(grant.spent), currency)} of {amountText(BigInt(grant.budget), currency)}.
      </p>
      <p className="mono break-all text-ink-soft text-xs">
        {grant.id}
        <CopyButton text={grant.id} what="id of the grant" />
      </p>
      {grant.revoked || ended ? (
        <p className="font-medium">{grant.revoked ? 'Revoked.' : 'It has ended.'}</p>
      ) : (
        <Button disabled={busy} onClick={() => void revoke()}>
          Revoke
        </Button>
      )}
      <p role="status">{said}</p>
    </li>
  )
}
