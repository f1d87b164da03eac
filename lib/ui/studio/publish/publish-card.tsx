'use client'

import { X } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { MAX_DESCRIPTION_LENGTH } from '#lib/protocol/author-metadata.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { newNameProblem } from '#lib/protocol/names.ts'
import { renameEverywhere } from '#lib/studio/document/commands/entries.ts'
import { entriesBelow } from '#lib/studio/document/node-ref.ts'
import type { Entry, StudioDocument } from '#lib/studio/document/types.ts'
import { entityHref } from '#lib/ui/components/entity-href.ts'
import { TextButton } from '#lib/ui/kit/button.tsx'
import { TextArea, TextField } from '#lib/ui/kit/field.tsx'
import { IconButton } from '#lib/ui/kit/icon-button.tsx'
import { Select } from '#lib/ui/kit/select.tsx'
import { useSession as useAccountSession } from '#lib/ui/wallet/session/use-session.ts'
import { ProblemNotes } from '../common/problem-notes.tsx'
import { useCurrentSession, useDocument, useSession } from '../common/session.tsx'
import { conflicts, openItems } from './plan.ts'
import { PublishDetails } from './publish-details.tsx'
import { PublishFoot } from './publish-foot.tsx'
import { PublishedCard } from './published-card.tsx'
import { type Publication, usePublication } from './use-publication.ts'
import { LICENCE_OPTIONS, wordsOf } from './words.ts'

/**
 * The card by which an entry is published: what others will see of it, one button, and what the publication consists of
 * in a fold. It fills its pane.
 *
 * @param onClose Closes the card; a publication in progress can be resumed later.
 */
export function PublishCard({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const { document: store } = useCurrentSession()
  const present = useDocument()
  const problems = useSession((state) => state.problems)
  const session = useAccountSession()
  const account = session.status === 'signed_in' ? session.session.address : undefined
  // The plan is about the document as it was when the card was opened or refreshed.
  const [snapshot, setSnapshot] = useState<StudioDocument>(present)
  const root = snapshot.entries.find(({ id }) => id === entry.id)
  const below = root === undefined ? [] : entriesBelow(snapshot, root)
  const wrong = problems.filter(
    ({ severity, at }) => severity === 'error' && below.some(({ id }) => id === at.entryId),
  )
  const rename = (name: string) => {
    store.edit('Rename', (document) => renameEverywhere(document, { entryId: entry.id, name }))
    setSnapshot(store.getState().document)
  }
  return (
    <section aria-labelledby="publication" className="flex flex-1 flex-col p-3 pb-0 sm:px-4">
      <div className="flex items-start justify-between gap-4 pb-2">
        <h2 id="publication" className="min-w-0 py-1 font-semibold text-lg [overflow-wrap:anywhere]">
          Publish {entry.name}
        </h2>
        <IconButton label="Close" onClick={onClose} className="-mr-2 shrink-0">
          <X aria-hidden="true" />
        </IconButton>
      </div>
      {root === undefined || snapshot !== present ? (
        <p className="pb-3 text-sm">
          The document has changed since.{' '}
          <TextButton onClick={() => setSnapshot(present)} className="font-medium">
            Take it as it is now
          </TextButton>
        </p>
      ) : null}
      {root === undefined ? null : wrong.length > 0 && snapshot === present ? (
        <div className="mt-2 space-y-2 pb-4">
          <p>Before it can be published:</p>
          <ProblemNotes problems={wrong} />
        </div>
      ) : (
        <Planned document={snapshot} root={root} account={account} onRename={rename} />
      )}
    </section>
  )
}

function Planned({
  document,
  root,
  account,
  onRename,
}: {
  document: StudioDocument
  root: Entry
  account: Address | undefined
  onRename: (name: string) => void
}) {
  const publication = usePublication(document, root, account)
  const { request, query, plan, own, publishing, piece } = publication
  if (request === undefined) return <Sentence>A number of it is not finished yet.</Sentence>
  // A plan of before a rename is not that of this document.
  if (query.isError && query.data === undefined) {
    return (
      <Sentence alert>
        {query.error instanceof Error && query.error.message !== ''
          ? query.error.message
          : 'The site does not answer.'}{' '}
        <TextButton onClick={() => void query.refetch()}>Try again</TextButton>
      </Sentence>
    )
  }
  if (query.data?.outcome === 'invalid') {
    return (
      <div className="mt-2 space-y-2 pb-4 text-sm" role="alert">
        <p>It cannot be built yet:</p>
        <ul className="list-disc space-y-1 pl-5">
          {query.data.problems.map(({ kind, name, message }) => (
            <li key={`${kind}/${name}/${message}`} className="[overflow-wrap:anywhere]">
              <span className="mono text-xs">{name}</span>: {message}
            </li>
          ))}
        </ul>
      </div>
    )
  }
  if (plan === undefined) return <Sentence>Looking at what is published…</Sentence>
  const open = openItems(plan)
  if (open.length === 0 && conflicts(plan).length === 0) {
    return <PublishedCard root={root} plan={plan} account={account} publication={publication} />
  }
  const running = publication.isRequested || publishing.is === 'running'
  return (
    <>
      <fieldset disabled={running} className="min-w-0 space-y-4">
        <legend className="sr-only">How others meet it</legend>
        {own?.standing.state === 'open' ? (
          <>
            {piece.cover(true)}
            {piece.title}
          </>
        ) : null}
        <Words publication={publication} document={document} root={root} />
        <EntryNameField root={root} onRename={onRename} />
        <Licence publication={publication} />
      </fieldset>
      <PublishDetails document={document} plan={plan} account={account} publication={publication} />
      <PublishFoot document={document} plan={plan} account={account} publication={publication} />
    </>
  )
}

/** One sentence about the entry itself; those of its parts are in the details. */
function Words({
  publication: { own, words, sentence, setSentence },
  document,
  root,
}: {
  publication: Publication
  document: StudioDocument
  root: Entry
}) {
  if (own?.standing.state !== 'open') return null
  const { problem } = wordsOf(own, document, words)
  return (
    <label className="block text-sm">
      <span className="font-medium">In a sentence</span> <span className="text-ink-soft">(optional)</span>
      <TextArea
        rows={2}
        maxLength={MAX_DESCRIPTION_LENGTH}
        value={sentence}
        placeholder={root.kind === 'connector' ? 'What one hears and sees' : 'What it does'}
        onText={setSentence}
        className="mt-1"
      />
      {problem === undefined ? null : (
        <span role="status" className="mt-1 block">
          {problem}
        </span>
      )}
    </label>
  )
}

/** The name of the entry, which is a part of its address; it is taken when the field is left. */
function EntryNameField({ root, onRename }: { root: Entry; onRename: (name: string) => void }) {
  const id = useId()
  const [typed, setTyped] = useState<string>()
  const name = typed ?? root.name
  const wrong = newNameProblem(name)
  const take = () => {
    if (wrong !== undefined) return
    setTyped(undefined)
    if (name !== root.name) onRename(name)
  }
  return (
    <div className="text-sm">
      <label htmlFor={id} className="font-medium">
        Name
      </label>
      <TextField
        wrong={wrong !== undefined}
        code
        id={id}
        value={name}
        maxLength={200}
        aria-describedby={`${id}-note`}
        onText={setTyped}
        onBlur={take}
        onKeyDown={(event) => event.key === 'Enter' && take()}
        className="mt-1"
      />
      <p id={`${id}-note`} className="mt-1 text-ink-soft text-xs [overflow-wrap:anywhere]">
        {wrong === undefined
          ? `Its address: ${entityHref(root.kind, name)}. It cannot be changed later.`
          : `${wrong}.`}
      </p>
    </div>
  )
}

function Licence({ publication: { words, setChoices } }: { publication: Publication }) {
  return (
    <label className="block text-sm">
      <span className="font-medium">Licence</span>
      <Select
        options={LICENCE_OPTIONS}
        onValue={(licence) => setChoices((before) => ({ ...before, licence }))}
        value={words.licence}
        className="mt-1 block w-full"
      />
    </label>
  )
}

function Sentence({ children, alert = false }: { children: ReactNode; alert?: boolean }) {
  return (
    <p role={alert ? 'alert' : 'status'} className="mt-2 pb-4">
      {children}
    </p>
  )
}
