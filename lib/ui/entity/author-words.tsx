import type { AuthorWords } from '#lib/core/entities/author-words.ts'
import { CopyButton } from '#lib/ui/kit/copy-button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { LICENCES } from './licences.ts'
import { solidityTokens, type Token } from './solidity-tokens.ts'

/** Author's words about an entity, as plain text. Nothing without a description and a licence. */
export function Description({ words }: { words: AuthorWords | undefined }) {
  if (words?.description === undefined && words?.licence === undefined) return null
  return (
    <div data-author-words className="max-w-prose space-y-2">
      {words.description === undefined ? null : (
        <p dir="auto" className="max-h-96 overflow-y-auto whitespace-pre-line [overflow-wrap:anywhere]">
          {words.description}
        </p>
      )}
      {words.licence === undefined ? null : (
        <p className="text-ink-soft text-sm">
          {licenceText(words.licence)}: <span className="text-ink">{words.licence}</span>
        </p>
      )}
    </div>
  )
}

/** Returns in a few words what a common licence allows. */
function licenceText(id: string): string {
  const allows = LICENCES.find(([each]) => each === id)?.[2]
  return allows === undefined ? 'Licence' : `${allows[0]?.toUpperCase()}${allows.slice(1)}`
}

const COLOURS: Readonly<Record<Token['kind'], string | undefined>> = {
  keyword: 'text-indigo',
  type: 'text-verdigris',
  number: 'text-walnut',
  string: 'text-weld',
  comment: 'text-ink-soft italic',
  given: 'font-semibold text-cochineal',
  plain: undefined,
}

/** The body of a transformation or condition with the result of its check, or that none is published. */
export function SourceBody({ words }: { words: AuthorWords | undefined }) {
  const source = words?.source
  if (words === undefined || source === undefined) {
    return (
      <p className="max-w-prose text-ink-soft text-sm">
        No source published: what everybody holds is the compiled body, named by its content hash.
      </p>
    )
  }
  return (
    <div data-source-state={words.sourceState} className="min-w-0">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pb-2">
        <Mark state={words.sourceState} />
        <span className="ml-auto">
          <CopyButton text={source} what="source" />
        </span>
      </div>
      <pre
        dir="ltr"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
        tabIndex={0}
        className="mono max-h-[32rem] overflow-auto rounded-lg border border-line bg-raised p-4 text-sm leading-relaxed"
      >
        <code>
          {solidityTokens(source).map(({ text, kind }, index) => {
            const colour = COLOURS[kind]
            if (colour === undefined) return text
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
              <span key={index} className={colour}>
                {text}
              </span>
            )
          })}
        </code>
      </pre>
    </div>
  )
}

const MARKS = {
  verified: ['Source verified', 'Compiling this text gives exactly the code on chain.'],
  different: [
    'Not verified',
    'This server did not get the code on chain from this text: read it as a comment of its author.',
  ],
  open: [
    'By its author',
    'Soon this site compiles it as well, and compares the result with the code on chain.',
  ],
} as const

function Mark({ state }: { state: AuthorWords['sourceState'] }) {
  const [says, means] = MARKS[state]
  const look = state === 'verified' ? 'border-verdigris text-verdigris' : 'border-edge text-ink-soft'
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span className={`rounded-full border px-2.5 py-0.5 font-medium text-xs ${look}`}>{says}</span>
      <span className="text-ink-soft">
        {means}{' '}
        <a className={textLink} href="/docs/authors-words#what-is-believed">
          How
        </a>
      </span>
    </p>
  )
}
