import type { Metadata } from 'next'
import { connection } from 'next/server'
import { bodyExamples } from '../../../lib/entities/body-examples.ts'
import { MAX_COUNTED } from '../../../lib/entities/remixes.ts'
import { ButtonLink } from '../../../lib/ui/components/button.tsx'
import { CopyLink } from '../../../lib/ui/components/copy-link.tsx'
import { entityHref } from '../../../lib/ui/components/entity-href.ts'
import { argumentNames, counted } from '../../../lib/ui/components/format.ts'
import { Unreadable } from '../../../lib/ui/components/notice.tsx'
import { PageHead } from '../../../lib/ui/components/page-head.tsx'
import { Description, SourceBody } from '../../../lib/ui/entity/author-words.tsx'
import { hasRemixes, RemixTree } from '../../../lib/ui/entity/remix-tree.tsx'
import { MarkButton } from '../../../lib/ui/people/mark-button.tsx'
import { EmbedCode } from '../../../lib/ui/piece/embed-code.tsx'
import { Examples } from '../../../lib/ui/piece/examples.tsx'
import { studioHref } from '../../../lib/ui/studio/shell/deep-link.ts'
import { entityView } from '../../../lib/views/entity.ts'
import { sharedPage } from '../../../lib/views/page-metadata.ts'
import { firstOf } from '../../../lib/views/query.ts'
import { readForPage } from '../../../lib/views/read.ts'
import { ByProgram } from './by-program.tsx'
import { EntityPage, NotVerified, Part, readName } from './entity-page.tsx'
import { Missing } from './missing.tsx'
import { OnChain } from './on-chain.tsx'
import { Relatives } from './relatives.tsx'
import { Users } from './users.tsx'

/** Texts of the two kinds of bodies. */
const WORDS = {
  transformation: {
    is: 'One step of a stream: it makes the next value from the last.',
    signature: 'function run(uint32 x, uint32[] args) returns (uint32)',
    first: ['x'],
    argument:
      'x is the value so far; the others are fixed by each connector that uses it, from 0 to 4,294,967,295.',
    alone: 'No arguments: all it gets is x, the value so far.',
  },
  condition: {
    is: 'A yes or no that a connector asks before it generates.',
    signature: 'function check(int32[] args) view returns (bool)',
    first: [],
    argument: 'The arguments are fixed by each connector that asks, from -2,147,483,648 to 2,147,483,647.',
    alone: 'No arguments.',
  },
} as const

interface PageProps {
  params: Promise<{ name: string }>
  searchParams: Promise<{ used_after?: string | string[] }>
}

/** The page of a kind of bodies, as its `page.tsx` exports it. */
export function codePage(kind: keyof typeof WORDS) {
  return {
    async generateMetadata({ params }: Pick<PageProps, 'params'>): Promise<Metadata> {
      const name = await readName(params)
      return sharedPage({
        title: `${name}, ${kind}`,
        description: `What the ${kind} ${name} takes, and where on chain it is.`,
        href: entityHref(kind, name),
        picture: { kind, name },
      })
    },
    async Page({ params, searchParams }: PageProps) {
      await connection()
      const usedAfter = firstOf((await searchParams).used_after)
      return <CodePage kind={kind} name={await readName(params)} usedAfter={usedAfter} />
    },
  }
}

async function CodePage({
  kind,
  name,
  usedAfter,
}: {
  kind: keyof typeof WORDS
  name: string
  /** Cursor of the list of users. */
  usedAfter: string | undefined
}) {
  const reading = await readForPage(`a ${kind}`, async (ctx) => {
    const [view, examples] = await Promise.all([
      entityView(ctx, kind, name, usedAfter),
      // The page is whole without them.
      bodyExamples(ctx, kind, name).catch(() => undefined),
    ])
    return view && { ...view, examples }
  })
  if (!reading.ok) {
    return (
      <>
        <PageHead title={name} code />
        <Unreadable again={entityHref(kind, name)} />
      </>
    )
  }
  if (reading.value === undefined) return <Missing kind={kind} name={name} />
  const {
    entity,
    publication,
    otherChains,
    owner,
    ownerName,
    agentOf,
    traits,
    words: said,
    remixes,
    counts,
    users,
    userNames,
    related,
    origin,
    nowMs,
    examples,
  } = reading.value
  const words = WORDS[kind]
  return (
    <EntityPage
      kind={kind}
      name={name}
      author={{ address: owner, name: ownerName, agentOf }}
      draft={publication === undefined}
      stage={examples === undefined ? null : <Examples name={name} examples={examples} />}
      lead={
        <>
          <Description words={said} />
          <p className="mt-2 text-sm">{words.is}</p>
        </>
      }
      actions={
        entity === undefined ? null : (
          <>
            <div className="flex flex-wrap gap-3">
              <ButtonLink
                look="primary"
                className="w-full"
                href={studioHref(said?.source ? 'fork' : 'open', kind, name)}
              >
                {said?.source ? 'Remix' : 'Open in studio'}
              </ButtonLink>
              {publication === undefined ? null : (
                <>
                  <MarkButton mark="like" kind={kind} name={name} count={counts.likes} />
                  <MarkButton mark="save" kind={kind} name={name} />
                </>
              )}
              <CopyLink href={entityHref(kind, name)} origin={origin} />
            </div>
            <EmbedCode
              page={origin + entityHref(kind, name)}
              image={`${origin}/pictures/${kind}/${encodeURIComponent(name)}.png`}
              player={undefined}
              title={name}
            />
          </>
        )
      }
      aside={<Relatives owner={owner} formatHash={undefined} related={related} />}
      proof={
        <>
          <OnChain
            owner={owner}
            publication={publication}
            otherChains={otherChains}
            codeBytes={publication?.codeBytes}
            traits={traits}
            nowMs={nowMs}
          />
          <ByProgram api={`${origin}/chain`} kind={kind} name={name} />
        </>
      }
    >
      {entity === undefined ? (
        <NotVerified kind={kind} />
      ) : (
        <Part title="How it is called">
          <p className="mono border-line border-b py-3 text-lg [overflow-wrap:anywhere]">
            {name}
            <span className="text-ink-soft">
              ({[...words.first, ...argumentNames(entity.argsCount, 8)].join(', ')})
            </span>
          </p>
          <p className="max-w-prose pt-3 text-ink-soft text-sm">
            {entity.argsCount === 0
              ? words.alone
              : `${counted(entity.argsCount, 'argument')}. ${words.argument}`}{' '}
            On chain it is <code className="text-ink">{words.signature}</code>.
          </p>
        </Part>
      )}
      {publication === undefined || entity === undefined ? null : (
        <Part id="source" title="Source">
          <SourceBody words={said} />
        </Part>
      )}
      {hasRemixes(remixes) ? (
        <Part id="remixes" title="Remixes">
          <RemixTree remixes={remixes} mostCounted={MAX_COUNTED} />
        </Part>
      ) : null}
      <Users kind={kind} name={name} draft={publication === undefined} page={users} names={userNames} />
    </EntityPage>
  )
}
