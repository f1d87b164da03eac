import { FORBIDDEN_OPCODES, findForbiddenOpcode } from '#lib/protocol/opcodes.ts'
import {
  bodyFunction,
  countArgs,
  ESCAPE_TEXT,
  isExactlyOneBody,
  isSyntaxNode,
  loopDepth,
  type SyntaxNode,
} from './body-syntax.ts'
import type { Inspection, SourceProblem } from './compiler.ts'
import { runSolc, SolcCrash, type SolcError, type SolcOutput } from './solc.ts'
import { COMPILER_SETTINGS, WRAPPED_CONTRACT, type WrappedBody, wrapBody } from './wrap.ts'

export type BodyKind = 'transformation' | 'condition'

export type CompileOutcome = Inspection

/** Loops in each other: the compiler takes many seconds for more, and no body needs them. */
const MAX_LOOP_DEPTH = 12

/** Most bytes of code that a chain accepts for one contract (EIP-170). */
const MAX_RUNTIME_BYTES = 24_576

const UNIT = 'body'
const CRASH_TEXT = 'the compiler gave up on it: it nests too deeply or needs too much memory'

/** Tokens that the parser expects only where the function, or even the contract, has been closed. */
const OUTSIDE_A_FUNCTION =
  /^Expected pragma, import directive|^Function, variable, struct or modifier declaration expected/

/** Compiles one body. Deterministic, synchronous and possibly slow: runs on a pool thread. */
export function compileBody(kind: BodyKind, body: string): CompileOutcome {
  const wrapped = wrapBody(kind, body)
  const refused = (reason: string) => ({ status: 'refused' as const, reason })
  const faulty = (errors: readonly SolcError[]) => describeErrors(errors, wrapped, body)
  try {
    const parsed = parse(wrapped)
    const parseErrors = errorsOf(parsed)
    if (parseErrors.length > 0) return faulty(parseErrors)
    const shape = parsed.sources?.[UNIT]?.ast
    if (!isSyntaxNode(shape) || !isExactlyOneBody(shape, wrapped, body, harmlessTree(kind))) {
      return refused(ESCAPE_TEXT)
    }
    const depth = loopDepth(bodyFunction(shape))
    if (depth > MAX_LOOP_DEPTH)
      return refused(`it nests ${depth} loops in each other, and ${MAX_LOOP_DEPTH} are compiled at most`)

    const built = solc(wrapped, {}, { '': ['ast'], '*': ['evm.deployedBytecode.object'] })
    const errors = errorsOf(built)
    if (errors.length > 0) return faulty(errors)
    const tree = built.sources?.[UNIT]?.ast
    const code = built.contracts?.[UNIT]?.[WRAPPED_CONTRACT[kind]]?.evm?.deployedBytecode?.object
    if (!isSyntaxNode(tree) || code === undefined || !/^(?:[0-9a-f]{2})+$/.test(code)) {
      return refused('the compiler made no code of it')
    }
    const args = countArgs(bodyFunction(tree))
    if (!args.ok) {
      const position = sourcePosition(body, args.offset - wrapped.bodyStart)
      return { status: 'faulty', problems: [{ ...position, message: args.message }] }
    }
    const bytes = code.length / 2
    if (bytes > MAX_RUNTIME_BYTES) {
      return refused(
        `it compiles to ${bytes} bytes of code, more than the ${MAX_RUNTIME_BYTES} a contract may have`,
      )
    }
    const forbidden = findForbiddenOpcode(Buffer.from(code, 'hex'))
    if (forbidden !== undefined) {
      return refused(
        `at byte ${forbidden.offset} of its code stands ${forbidden.name} (0x${forbidden.opcode.toString(16)}), which the registry refuses, in a table of constants too where it follows the byte of a jump destination (0x5b)`,
      )
    }
    return { status: 'compiled', argsCount: args.count, runtime: `0x${code}` }
  } catch (error) {
    if (error instanceof SolcCrash) return refused(CRASH_TEXT)
    throw error
  }
}

const harmlessTrees = new Map<BodyKind, SyntaxNode>()

function harmlessTree(kind: BodyKind): SyntaxNode {
  const cachedTree = harmlessTrees.get(kind)
  if (cachedTree !== undefined) return cachedTree
  const tree = parse(wrapBody(kind, '')).sources?.[UNIT]?.ast
  if (!isSyntaxNode(tree)) throw new Error(`The wrapper of a ${kind} does not parse`)
  harmlessTrees.set(kind, tree)
  return tree
}

function parse(wrapped: WrappedBody): SolcOutput {
  return solc(wrapped, { stopAfter: 'parsing' }, { '': ['ast'] })
}

function solc(
  wrapped: WrappedBody,
  settings: Readonly<Record<string, unknown>>,
  outputs: Readonly<Record<string, readonly string[]>>,
): SolcOutput {
  return runSolc({
    language: 'Solidity',
    sources: { [UNIT]: { content: wrapped.source } },
    settings: { ...COMPILER_SETTINGS, ...settings, outputSelection: { '*': outputs } },
  })
}

function errorsOf(output: SolcOutput): SolcError[] {
  return (output.errors ?? []).filter(({ severity }) => severity === 'error')
}

function describeErrors(errors: readonly SolcError[], wrapped: WrappedBody, body: string): CompileOutcome {
  if (errors.some(({ message }) => OUTSIDE_A_FUNCTION.test(message))) {
    return { status: 'refused', reason: ESCAPE_TEXT }
  }
  const problems: SourceProblem[] = []
  for (const error of errors) {
    const offset = bodyOffset(error, wrapped, body)
    if (offset !== undefined) {
      problems.push({ ...sourcePosition(body, offset), message: messageOf(error, wrapped) })
    }
  }
  if (problems.length > 0) return { status: 'faulty', problems }
  return { status: 'refused', reason: reasonOf(errors[0]!) }
}

/**
 * Where an error is in the body, in bytes; undefined when it is not in it. What the compiler misses just before the
 * wrapper's closing brace (a semicolon, mostly) is missing at the end of the body.
 */
function bodyOffset(error: SolcError, wrapped: WrappedBody, body: string): number | undefined {
  const offset = (error.sourceLocation?.start ?? -1) - wrapped.bodyStart
  const length = Buffer.byteLength(body)
  if (offset < 0) return undefined
  if (offset <= length)
    return error.message.startsWith("Expected ';'") ? endOfLineBefore(body, offset) : offset
  const brace = wrapped.source.indexOf('}', wrapped.bodyStart + body.length) - wrapped.bodyStart - body.length
  return offset === length + brace ? Buffer.byteLength(body.trimEnd()) : undefined
}

/** White space, a comment, a string, or any other character. Linear: what is not closed ends with the text. */
const TOKENS =
  /(\s+|\/\/[^\n\r]*|\/\*(?:[\s\S]*?\*\/|[\s\S]*$))|"(?:[^"\\\n\r]|\\[\s\S])*"?|'(?:[^'\\\n\r]|\\[\s\S])*'?|[\s\S]/g

/** The end of the code before an offset where that is on an earlier line: a semicolon is missing there. In bytes. */
function endOfLineBefore(body: string, offset: number): number {
  const before = Buffer.from(body).subarray(0, offset).toString()
  let end = 0
  for (const { 0: token, 1: space, index } of before.matchAll(TOKENS)) {
    if (space === undefined) end = index + token.length
  }
  return /[\n\r]/.test(before.slice(end)) ? Buffer.byteLength(before.slice(0, end)) : offset
}

/** In words of our own: these messages speak of the wrapper, of generated code or of the compiler's sources. */
function reasonOf(error: SolcError): string {
  if (/stack too deep|too deep (?:in|inside) the stack/i.test(error.message)) {
    return 'it needs too many variables at once (stack too deep)'
  }
  if (error.type === 'ParserError' || error.type === 'DeclarationError' || error.type === 'SyntaxError') {
    return 'it does not end where its function ends: look for an unbalanced brace, bracket, comment or string'
  }
  return 'the compiler cannot make code of it, it may be too long or too deeply nested'
}

/** Names the opcode where the compiler only reports that an expression modifies the state. */
function messageOf({ message, sourceLocation }: SolcError, { source }: WrappedBody): string {
  const text = oneLine(message)
  if (sourceLocation === undefined || !text.includes('modifies the state')) return text
  const expression = Buffer.from(source).subarray(sourceLocation.start, sourceLocation.end).toString()
  const words = expression.toUpperCase().split(/\W+/)
  const opcode = [...FORBIDDEN_OPCODES.values()].find((name) => words.includes(name))
  return opcode === undefined ? text : `${text} The registry refuses ${opcode}.`
}

function oneLine(message: string): string {
  return message.replace(/\s+/g, ' ').trim()
}

/** Where something is in an author's body: both count from 1, columns in characters (code points). */
interface SourcePosition {
  readonly line: number
  readonly column: number
}

/**
 * Converts a compiler offset into a line and column.
 *
 * @param offset UTF-8 bytes from the start of the body. Offsets outside are moved to its nearest end.
 */
export function sourcePosition(body: string, offset: number): SourcePosition {
  const bytes = Buffer.from(body)
  const before = bytes.subarray(0, Math.max(0, Math.min(offset, bytes.length))).toString()
  const lines = before.split(/\r\n|[\n\r]/)
  return { line: lines.length, column: [...lines.at(-1)!].length + 1 }
}
