'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { counted } from '#lib/browser/format.ts'
import { partWith } from '#lib/studio/document/adopt.ts'
import type { Opened } from '#lib/studio/document/file.ts'
import type { Id } from '#lib/studio/document/types.ts'
import { draftHref, fitsLink, MAX_LINK_LENGTH, storedHref } from '#lib/studio/keep/link.ts'
import type { WorkspaceServer } from '#lib/studio/keep/server.ts'
import { MAX_WORKSPACE_NAME } from '#lib/studio/keep/workspace-store.ts'
import { TimeAgo } from '#lib/ui/components/time-ago.tsx'
import { useAction } from '#lib/ui/components/use-action.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { Radio } from '#lib/ui/kit/choice.tsx'
import { COPY_REFUSED, copyText } from '#lib/ui/kit/clipboard.ts'
import { TextField } from '#lib/ui/kit/field.tsx'
import { useCurrentSession, useDocument, useSession } from '../common/session.tsx'
import { copyAnnounced } from '../common/transfer.ts'
import { errorMessage } from '../workspaces/error-messages.ts'
import { useWorkspaceName, useWorkspaces } from '../workspaces/use-workspaces.ts'

/**
 * Makes links to what is open or to the whole workspace, and lists those that the account stores.
 *
 * @param entryId The one in front.
 */
export function ShareLinks({ entryId }: { entryId: Id | undefined }) {
  const document = useDocument()
  const view = useSession((state) => state.view)
  const { manager } = useWorkspaces()
  const entry = document.entries.find(({ id }) => id === entryId)
  const [whole, setWhole] = useState(entry === undefined)
  const chosen: Opened = whole || entry === undefined ? { document, view } : partWith(document, entry.id)
  const workspace = useWorkspaceName()
  const name = whole || entry === undefined ? workspace : entry.name || entry.kind
  const count = document.entries.length
  return (
    <>
      {entry === undefined || count < 2 ? null : (
        <fieldset className="flex flex-wrap gap-x-6 text-sm">
          <legend className="sr-only">What to share</legend>
          <ShareOption checked={!whole} onChoose={() => setWhole(false)}>
            <span className="mono">{entry.name || entry.kind}</span> and what it is made of
          </ShareOption>
          <ShareOption checked={whole} onChoose={() => setWhole(true)}>
            the whole workspace, {counted(count, 'entry', 'entries')}
          </ShareOption>
        </fieldset>
      )}
      {chosen.document.entries.length === 0 ? (
        <p className="py-2 text-sm">There is nothing to share yet.</p>
      ) : (
        <WholeLink chosen={chosen} signedIn={manager.server !== undefined} />
      )}
      {manager.server === undefined ? null : (
        <StoredLinks
          server={manager.server}
          name={name}
          chosen={chosen.document.entries.length === 0 ? undefined : chosen}
        />
      )}
    </>
  )
}

function ShareOption({
  checked,
  onChoose,
  children,
}: {
  checked: boolean
  onChoose: () => void
  children: React.ReactNode
}) {
  return (
    <Radio name="shared" checked={checked} onChoose={onChoose}>
      <span className="[overflow-wrap:anywhere]">{children}</span>
    </Radio>
  )
}

/** The link that holds the draft itself, where it fits. */
function WholeLink({ chosen, signedIn }: { chosen: Opened; signedIn: boolean }) {
  const { data: href, isError } = useQuery({
    queryKey: ['draft link', chosen.document, chosen.view.active],
    queryFn: () => draftHref(chosen),
    gcTime: 0,
    retry: false,
  })
  if (isError) {
    return (
      <p role="alert" className="py-2 text-sm">
        This browser cannot make links that hold a draft. Export the draft as a file, or use a newer browser.
      </p>
    )
  }
  if (href === undefined) {
    return (
      <p role="status" className="py-2 text-ink-soft text-sm">
        Making the link…
      </p>
    )
  }
  if (!fitsLink(href)) {
    return (
      <p role="status" className="py-2 text-sm">
        This is too large for a link of its own: {kilobytes(href.length)} KB, and {kilobytes(MAX_LINK_LENGTH)}{' '}
        KB fit.{' '}
        {signedIn
          ? 'Make a short link below: your account stores a copy.'
          : 'Sign in, and your account stores a copy at a short link; or choose Export in the menu of the workspace, and send the file.'}
      </p>
    )
  }
  return (
    <>
      <LinkField href={href} label="Link" />
      <p className="mt-1 text-ink-soft text-xs">
        The link itself holds everything, bodies included: {kilobytes(href.length)} KB. It works for ever, and
        nothing is stored.
      </p>
    </>
  )
}

function kilobytes(length: number): string {
  return (length / 1024).toFixed(1)
}

function LinkField({ href, label }: { href: string; label: string }) {
  const { announce } = useCurrentSession()
  const [copied, setCopied] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const url = `${window.location.origin}${href}`
  return (
    <div className="mt-2 flex gap-2">
      <TextField
        code
        ref={field}
        readOnly
        aria-label={label}
        value={url}
        onFocus={(event) => event.currentTarget.select()}
        className="flex-1"
      />
      <Button
        look="filled"
        onClick={async () => {
          if (await copyText(url)) setCopied(url)
          else {
            announce(COPY_REFUSED)
            field.current?.focus()
          }
        }}
        className="min-w-28"
      >
        {copied === url ? 'Copied' : 'Copy link'}
      </Button>
      <p role="status" className="sr-only">
        {copied === url ? 'Link copied.' : ''}
      </p>
    </div>
  )
}

/** The links that the account stores: make, copy, revoke. */
function StoredLinks({
  server,
  name,
  chosen,
}: {
  server: WorkspaceServer
  name: string
  chosen: Opened | undefined
}) {
  const { announce } = useCurrentSession()
  const queries = useQueryClient()
  const [newLink, setNewLink] = useState<string>()
  const { message, act } = useAction(errorMessage)
  const key = ['shared drafts']
  const links = useQuery({ queryKey: key, queryFn: () => server.shared(), staleTime: 0, retry: false })
  const run = (what: () => Promise<void>) =>
    act(async () => {
      await what()
      await queries.invalidateQueries({ queryKey: key })
    })
  const make = () =>
    run(async () => {
      if (chosen === undefined) return
      const { id } = await server.share(name.trim().slice(0, MAX_WORKSPACE_NAME) || 'Draft', chosen.document)
      setNewLink(storedHref(id))
    })
  return (
    <section aria-label="Short links" className="mt-5 border-line border-t pt-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p className="min-w-0 flex-1 basis-60 text-sm">
          A short link leads to a copy in your account, until you revoke it.
        </p>
        <Button disabled={chosen === undefined} onClick={make}>
          Make a short link
        </Button>
      </div>
      {newLink === undefined ? null : <LinkField href={newLink} label="Short link" />}
      <p role="alert" className="text-madder text-sm">
        {message ?? (links.isError ? errorMessage(links.error) : '')}
      </p>
      {links.data === undefined || links.data.length === 0 ? null : (
        <ul
          aria-label="Your short links"
          className="mt-2 max-h-56 divide-y divide-line overflow-y-auto border-line border-y"
        >
          {links.data.map((link) => (
            <li key={link.id} className="flex flex-wrap items-center gap-x-2 py-1 text-sm">
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
                {link.name}{' '}
                <span className="text-ink-soft text-xs">
                  <TimeAgo ms={link.createdAtMs} />
                </span>
              </span>
              <Button
                look="text"
                size="small"
                aria-label={`Copy the link to ${link.name}`}
                onClick={() =>
                  void copyAnnounced(window.location.origin + storedHref(link.id), announce, 'Link copied.')
                }
              >
                Copy
              </Button>
              <Button
                look="text"
                size="small"
                aria-label={`Revoke the link to ${link.name}`}
                onClick={() =>
                  run(async () => {
                    await server.revoke(link.id)
                    if (newLink === storedHref(link.id)) setNewLink(undefined)
                    announce(`Revoked the link to ${link.name}. It leads nowhere now.`)
                  })
                }
              >
                Revoke
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
