import { CopyButton } from '../copy-button.tsx'

/** Comments and texts of the languages that the documentation shows; everything else stays ink. */
const PIECE =
  /(?<comment>(?:^|(?<=\s))(?:#|\/\/)[^\n]*|\/\*[\s\S]*?\*\/)|(?<text>'[^'\n]*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`)/gm

/** Languages whose comments and texts look as `PIECE` has them. */
const TINTED = new Set(['sh', 'ts', 'js', 'json', 'solidity', 'env'])

/** A piece of code to read and to copy; long lines scroll. */
export function CodeBlock({ code, language }: { code: string; language: string | undefined }) {
  return (
    <div className="relative my-5">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, also by keyboard */}
      <pre tabIndex={0} className="overflow-x-auto rounded-md bg-sunk p-4 pr-12 text-sm leading-6">
        <code>{language !== undefined && TINTED.has(language) ? tint(code) : code}</code>
      </pre>
      <span className="absolute top-2.5 right-2.5 rounded-md bg-sunk">
        <CopyButton text={code} what="code" />
      </span>
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
