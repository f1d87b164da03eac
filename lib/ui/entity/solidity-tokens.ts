/** A piece of a body and how it is coloured. */
export interface Token {
  readonly text: string
  readonly kind: 'comment' | 'string' | 'number' | 'keyword' | 'type' | 'given' | 'plain'
}

const WORDS = {
  keyword:
    'assembly|break|calldata|catch|constant|continue|delete|do|else|emit|for|if|let|memory|new|return|returns|revert|storage|switch|throw|try|unchecked|while',
  number: 'true|false|wei|gwei|ether|seconds|minutes|hours|days|weeks',
  type: 'u?int[0-9]*|bytes[0-9]*|address|bool|string',
  given: 'x|args',
} as const

/** Each alternative consumes what it matches, and none can be read in two ways: time is linear in the text. */
const TOKEN = new RegExp(
  [
    String.raw`(?<comment>//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/)?)`,
    String.raw`(?<string>"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)`,
    String.raw`(?<word>[A-Za-z_$][\w$]*)`,
    String.raw`(?<number>\d[\w.]*)`,
    String.raw`[^\w$"'/]+|[^]`,
  ].join('|'),
  'g',
)
const KINDS = (['keyword', 'number', 'type', 'given'] as const).map(
  (kind) => [kind, new RegExp(`^(?:${WORDS[kind]})$`)] as const,
)

/** Splits a Solidity body into tokens that together are exactly the text; what is no Solidity is plain. */
export function solidityTokens(source: string): Token[] {
  return Array.from(source.matchAll(TOKEN), ({ 0: text, groups = {} }): Token => {
    if (groups.comment !== undefined) return { text, kind: 'comment' }
    if (groups.string !== undefined) return { text, kind: 'string' }
    if (groups.number !== undefined) return { text, kind: 'number' }
    if (groups.word === undefined) return { text, kind: 'plain' }
    return { text, kind: KINDS.find(([, words]) => words.test(text))?.[0] ?? 'plain' }
  })
}
