import { lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import { Fragment, type ReactNode } from 'react'
import { Command } from '#lib/ui/components/command.tsx'
import { titleLook } from '#lib/ui/components/page-head.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { headingId } from './headings.ts'

/** Renders our own markdown, without HTML and images. */
export function Markdown({ children }: { children: string }) {
  return <Blocks tokens={lexer(children)} />
}

function Blocks({ tokens }: { tokens: readonly Token[] }) {
  return tokens.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change
    <Fragment key={index}>{block(token as MarkedToken)}</Fragment>
  ))
}

function block(token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'heading':
      return <Heading token={token} />
    case 'paragraph':
      return <p className="my-4">{inline(token.tokens)}</p>
    // The text of a list item, which needs no paragraph.
    case 'text':
      return inline(token.tokens ?? [token])
    case 'list':
      return <List token={token} />
    case 'code':
      return <CodeBlock code={token.text} language={token.lang} />
    case 'table':
      return <Table token={token} />
    case 'blockquote':
      return (
        <blockquote className="my-5 border-accent border-l-2 bg-raised px-4 py-0.5">
          <Blocks tokens={token.tokens} />
        </blockquote>
      )
    case 'hr':
      return <hr className="my-8 border-line" />
    default:
      return null
  }
}

function Heading({ token: { depth, text, tokens } }: { token: Tokens.Heading }) {
  if (depth === 1) return <h1 className={`mb-6 ${titleLook.words}`}>{inline(tokens)}</h1>
  if (depth === 2) {
    return (
      <h2
        id={headingId(text)}
        className="mt-12 mb-3 scroll-mt-6 border-ink border-t-2 pt-3 font-semibold text-xl"
      >
        {inline(tokens)}
      </h2>
    )
  }
  return (
    <h3 id={headingId(text)} className="mt-8 mb-2 scroll-mt-6 font-semibold text-base">
      {inline(tokens)}
    </h3>
  )
}

function List({ token: { ordered, items } }: { token: Tokens.List }) {
  const Element = ordered ? 'ol' : 'ul'
  return (
    <Element className={`my-4 space-y-2 pl-6 marker:text-accent ${ordered ? 'list-decimal' : 'list-disc'}`}>
      {items.map((item) => (
        <li key={item.raw} className="pl-1">
          <Blocks tokens={item.tokens} />
        </li>
      ))}
    </Element>
  )
}

function Table({ token: { header, rows } }: { token: Tokens.Table }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: wide tables scroll, also by keyboard
    // biome-ignore lint/a11y/useSemanticElements: it has no meaning but to scroll
    <div tabIndex={0} role="group" aria-label="Table" className="my-5 overflow-x-auto">
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr className="border-ink border-b">
            {header.map((cell) => (
              <th key={cell.text} scope="col" className="py-2 pr-4 text-left align-bottom font-semibold">
                {inline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.map(({ text }) => text).join('|')} className="border-line border-b">
              {row.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
                <td key={index} className="min-w-24 py-2 pr-4 align-top first:[&_code]:whitespace-nowrap">
                  {inline(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function inline(tokens: readonly Token[] = []): ReactNode {
  return tokens.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change
    <Fragment key={index}>{span(token as MarkedToken)}</Fragment>
  ))
}

function span(token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong className="font-semibold">{inline(token.tokens)}</strong>
    case 'em':
      return <em>{inline(token.tokens)}</em>
    case 'codespan':
      return (
        <code className="rounded-sm bg-sunk px-1 py-0.5 text-[0.9em] [overflow-wrap:anywhere]">
          {token.text}
        </code>
      )
    case 'br':
      return <br />
    case 'link':
      return <Link href={token.href}>{inline(token.tokens)}</Link>
    case 'escape':
    case 'text':
      return token.text
    default:
      return null
  }
}

/** Links to files of the project are rendered as text: they have no address on the site. */
function Link({ href, children }: { href: string; children: ReactNode }) {
  if (!/^(\/|#|https?:)/.test(href)) return children
  return (
    <a className={textLink} href={href}>
      {children}
    </a>
  )
}

/** Comments and texts of the languages that the documentation shows; everything else stays ink. */
const PIECE =
  /(?<comment>(?:^|(?<=\s))(?:#|\/\/)[^\n]*|\/\*[\s\S]*?\*\/)|(?<text>'[^'\n]*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`)/gm

/** Languages whose comments and strings match `PIECE`. */
const TINTED = new Set(['sh', 'ts', 'js', 'json', 'solidity', 'env'])

/** A piece of code to read and to copy; long lines scroll. */
function CodeBlock({ code, language }: { code: string; language: string | undefined }) {
  return (
    <div className="my-5">
      <Command size="text-sm leading-6" highlighted={language && TINTED.has(language) ? tint(code) : code}>
        {code}
      </Command>
    </div>
  )
}

function tint(code: string) {
  const pieces = []
  let end = 0
  for (const match of code.matchAll(PIECE)) {
    pieces.push(code.slice(end, match.index))
    end = match.index + match[0].length
    const colour = match.groups?.comment === undefined ? 'text-verdigris' : 'text-ink-soft'
    pieces.push(
      <span key={match.index} className={colour}>
        {match[0]}
      </span>,
    )
  }
  pieces.push(code.slice(end))
  return pieces
}
