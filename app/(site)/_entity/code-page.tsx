import type { Metadata } from 'next'
import { connection } from 'next/server'
import { argumentNames, formatInteger } from '#lib/browser/format.ts'
import { chainName } from '#lib/core/context/describe-chain.ts'
import type { AuthorWords } from '#lib/core/entities/author-words.ts'
import { bodyExamples } from '#lib/core/entities/body-examples.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import { kindWord } from '#lib/protocol/kind-name.ts'
import { argsNamesOf } from '#lib/studio/document/args-count.ts'
import { PHRASE_BOOK } from '#lib/studio/library/phrase-book.ts'
import { entityHref } from '#lib/ui/components/entity-href.ts'
import { Unreadable } from '#lib/ui/components/notice.tsx'
import { Part } from '#lib/ui/components/part.tsx'
import { Description, SourceBody } from '#lib/ui/entity/author-words.tsx'
import { Examples } from '#lib/ui/piece/examples.tsx'
import { entityView } from '#lib/views/entity.ts'
import { sharedPage } from '#lib/views/page-metadata.ts'
import { firstOf } from '#lib/views/query.ts'
import { readForPage } from '#lib/views/read.ts'
import { EntityPage, readName } from './entity-page.tsx'
import { Missing } from './missing.tsx'

/** Texts of the two kinds of bodies. */
const WORDS = {
  transformation: {
    is: 'One step of a voice: it makes the next number from the last.',
    signature: 'function run(uint32 x, uint32[] args) returns (uint32)',
    first: ['x'],
    argument: 'x is the number so far.',
    range: 'by each piece that uses it, from 0 to 4,294,967,295.',
    alone: 'All it gets is x, the number so far.',
  },
  condition: {
    is: 'A yes or no that a piece asks before it plays.',
    signature: 'function check(int32[] args) view returns (bool)',
    first: [],
    argument: '',
    range: 'by each piece that asks, from -2,147,483,648 to 2,147,483,647.',
    alone: 'No numbers of its own.',
  },
} as const

/** Arguments that a page names. */
const MOST_NAMED = 8

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
        title: `${name}, ${kindWord(kind)}`,
        description: `What the ${kindWord(kind)} ${name} takes, and where on chain it is.`,
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
    const [view, examples, chain] = await Promise.all([
      entityView(ctx, kind, name, { usersAfter: usedAfter }),
      // The page is whole without them.
      bodyExamples(ctx, kind, name).catch(() => undefined),
      chainName(ctx),
    ])
    return view && { ...view, examples, chain }
  })
  if (!reading.ok) return <Unreadable title={name} code again={entityHref(kind, name)} />
  if (reading.value === undefined) return <Missing kind={kind} name={name} />
  const { examples, chain, ...view } = reading.value
  const { entity, publication, words: authorWords } = view
  const words = WORDS[kind]
  const args = argumentNames(
    entity?.argsCount ?? 0,
    MOST_NAMED,
    argsNames(publication?.contentHash, authorWords),
  )
  return (
    <EntityPage
      kind={kind}
      name={name}
      view={view}
      stage={examples === undefined ? null : <Examples name={name} examples={examples} />}
      lead={
        <>
          <Description words={authorWords} />
          <p className="mt-2 text-sm">{words.is}</p>
        </>
      }
      remix={
        authorWords?.source ? { label: 'Remix', action: 'fork' } : { label: 'Open in studio', action: 'open' }
      }
      codeBytes={publication?.codeBytes}
    >
      {entity === undefined ? null : (
        <Part title="How it is called">
          <p className="mono border-line border-b py-3 text-lg [overflow-wrap:anywhere]">
            {name}
            <span className="text-ink-soft">({[...words.first, ...args].join(', ')})</span>
          </p>
          <p className="max-w-prose pt-3 text-ink-soft text-sm">
            {entity.argsCount === 0
              ? words.alone
              : `${words.argument} ${sentenceOf(args, entity.argsCount)} set ${words.range}`.trim()}{' '}
            On the chain{chain === undefined ? '' : ` (${chain})`}, the public network that stores it, it is{' '}
            <code className="text-ink">{words.signature}</code>.
          </p>
        </Part>
      )}
      {publication === undefined || entity === undefined ? null : (
        <Part id="source" title="Source">
          <SourceBody words={authorWords} />
        </Part>
      )}
    </EntityPage>
  )
}

/** Names of the arguments of a body, from the phrase book or from its source, unless that is of another body. */
function argsNames(contentHash: Hash | undefined, words: AuthorWords | undefined) {
  const phrase = PHRASE_BOOK.find((each) => each.contentHash === contentHash)
  if (phrase !== undefined) return phrase.args.map(({ name }) => name.replaceAll(' ', '_'))
  return words?.source === undefined || words.sourceState === 'different' ? [] : argsNamesOf(words.source)
}

/** Arguments as the subject of a sentence. */
function sentenceOf(names: readonly string[], count: number): string {
  if (count > MOST_NAMED) return `${formatInteger(count)} numbers are`
  const [last, ...before] = names.toReversed()
  return before.length === 0 ? `${last} is` : `${before.toReversed().join(', ')} and ${last} are`
}
