import { LanguageSupport, StreamLanguage, type StringStream } from '@codemirror/language'

/* A tokenizer is enough to colour and indent a function body: the compiler checks it. */

const KEYWORDS = new Set(
  [
    'abstract as assembly assert break calldata case catch constant continue contract default delete do else emit',
    'enum error event external for from function if immutable import in indexed interface internal is leave let',
    'library mapping memory modifier new override payable private public pure receive return returns revert require',
    'storage struct switch throw try type unchecked using view virtual while',
  ].flatMap((line) => line.split(' ')),
)
const ATOMS = new Set([
  'true',
  'false',
  'this',
  'super',
  'wei',
  'gwei',
  'ether',
  'seconds',
  'minutes',
  'hours',
])
const TYPE = /^(?:u?int\d*|bytes\d*|address|bool|string|u?fixed(?:\d+x\d+)?)$/
/** Parameters of the function around a body. */
const GIVEN = new Set(['x', 'args'])

interface State {
  inComment: boolean
  /** Brackets that are open, from the outside in: columns to indent by. */
  depth: number
}

const solidity = StreamLanguage.define<State>({
  name: 'solidity',
  startState: () => ({ inComment: false, depth: 0 }),
  copyState: (state) => ({ ...state }),
  token: readToken,
  indent(state, textAfter, { unit }) {
    if (state.inComment) return null
    const closes = /^\s*[}\])]/.test(textAfter) ? 1 : 0
    return Math.max(0, state.depth - closes) * unit
  },
  languageData: {
    commentTokens: { line: '//', block: { open: '/*', close: '*/' } },
    indentOnInput: /^\s*[}\])]$/,
    closeBrackets: { brackets: ['(', '[', '{', '"'] },
  },
})

/** Solidity for the editor: colours, brackets, indentation, comment keys. */
export function solidityLanguage(): LanguageSupport {
  return new LanguageSupport(solidity)
}

function readToken(stream: StringStream, state: State): string | null {
  if (state.inComment) return readComment(stream, state)
  if (stream.eatSpace()) return null
  if (stream.match('//')) {
    stream.skipToEnd()
    return 'lineComment'
  }
  if (stream.match('/*')) {
    state.inComment = true
    return readComment(stream, state)
  }
  if (stream.match(/^(?:hex|unicode)?(?:"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)/)) return 'string'
  if (stream.match(/^(?:0[xX][0-9a-fA-F_]*|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE]-?\d+)?)/)) return 'number'
  if (stream.match(/^[A-Za-z_$][\w$]*/)) return wordToken(stream)
  if (stream.match(/^(?:>>>?=?|<<=?|\*\*|&&|\|\||=>|[-+*/%&|^=!<>]=?|[~?:]|:=)/)) return 'operator'
  const character = stream.next() ?? ''
  if ('([{'.includes(character)) state.depth += 1
  if (')]}'.includes(character)) state.depth = Math.max(0, state.depth - 1)
  return '()[]{}'.includes(character) ? 'bracket' : 'punctuation'
}

function wordToken(stream: StringStream): string {
  const word = stream.current()
  if (KEYWORDS.has(word)) return 'keyword'
  if (TYPE.test(word)) return 'typeName'
  if (ATOMS.has(word)) return 'atom'
  // A member of the same name is no parameter.
  const member = /\.\s*$/.test(stream.string.slice(0, stream.start))
  if (GIVEN.has(word) && !member) return 'variableName.special'
  return /^\s*\(/.test(stream.string.slice(stream.pos)) ? 'variableName.function' : 'variableName'
}

function readComment(stream: StringStream, state: State): string {
  if (stream.match(/^.*?\*\//)) state.inComment = false
  else stream.skipToEnd()
  return 'blockComment'
}
