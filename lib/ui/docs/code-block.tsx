import { Command } from '../command.tsx'

/** Comments and texts of the languages that the documentation shows; everything else stays ink. */
const PIECE =
  /(?<comment>(?:^|(?<=\s))(?:#|\/\/)[^\n]*|\/\*[\s\S]*?\*\/)|(?<text>'[^'\n]*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`)/gm

/** Languages whose comments and texts look as `PIECE` has them. */
const TINTED = new Set(['sh', 'ts', 'js', 'json', 'solidity', 'env'])

/** A piece of code to read and to copy; long lines scroll. */
export function CodeBlock({ code, language }: { code: string; language: string | undefined }) {
  return (
    <div className="my-5">
      <Command size="text-sm leading-6" drawn={language && TINTED.has(language) ? tint(code) : code}>
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
