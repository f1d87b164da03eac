import { readFileSync } from 'node:fs'
import ts from 'typescript'

/** One change of one file. */
export interface Mutant {
  readonly file: string
  /** The whole file with the change. */
  readonly source: () => string
  readonly line: number
  /** The line as it is. */
  readonly code: string
  readonly text: string
  readonly kind: 'arithmetic' | 'comparison' | 'boundary' | 'boolean' | 'constant' | 'return'
  /** What stood there. */
  readonly before: string
}

const S = ts.SyntaxKind
const OPERATORS: Partial<Record<ts.SyntaxKind, readonly (readonly [Mutant['kind'], string])[]>> = {
  [S.PlusToken]: [['arithmetic', '-']],
  [S.MinusToken]: [['arithmetic', '+']],
  [S.AsteriskToken]: [['arithmetic', '+']],
  [S.SlashToken]: [['arithmetic', '*']],
  [S.PercentToken]: [['arithmetic', '*']],
  [S.AsteriskAsteriskToken]: [['arithmetic', '*']],
  [S.AmpersandToken]: [['arithmetic', '|']],
  [S.BarToken]: [['arithmetic', '&']],
  [S.CaretToken]: [['arithmetic', '&']],
  [S.LessThanLessThanToken]: [['arithmetic', '>>']],
  [S.GreaterThanGreaterThanToken]: [['arithmetic', '<<']],
  [S.GreaterThanGreaterThanGreaterThanToken]: [['arithmetic', '<<']],
  [S.PlusEqualsToken]: [['arithmetic', '-=']],
  [S.MinusEqualsToken]: [['arithmetic', '+=']],
  [S.LessThanToken]: [
    ['boundary', '<='],
    ['comparison', '>='],
  ],
  [S.LessThanEqualsToken]: [
    ['boundary', '<'],
    ['comparison', '>'],
  ],
  [S.GreaterThanToken]: [
    ['boundary', '>='],
    ['comparison', '<='],
  ],
  [S.GreaterThanEqualsToken]: [
    ['boundary', '>'],
    ['comparison', '<'],
  ],
  [S.EqualsEqualsEqualsToken]: [['comparison', '!==']],
  [S.ExclamationEqualsEqualsToken]: [['comparison', '===']],
  [S.AmpersandAmpersandToken]: [['boolean', '||']],
  [S.BarBarToken]: [['boolean', '&&']],
}

/** Every mutant of a file, in its order. */
export function mutantsOf(file: string): Mutant[] {
  const text = readFileSync(file, 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const lines = text.split('\n')
  const found: Mutant[] = []
  const add = (node: ts.Node, kind: Mutant['kind'], changed: string) => {
    const [start, end] = [node.getStart(source), node.getEnd()]
    const line = source.getLineAndCharacterOfPosition(start).line + 1
    found.push({
      file,
      line,
      code: lines[line - 1] ?? '',
      text: changed,
      kind,
      before: text.slice(start, end),
      source: () => text.slice(0, start) + changed + text.slice(end),
    })
  }
  const visit = (node: ts.Node): void => {
    // What does not run, and the texts of errors.
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return
    if (ts.isTypeAliasDeclaration(node) || ts.isThrowStatement(node)) return
    if (ts.isBinaryExpression(node)) {
      for (const [kind, changed] of OPERATORS[node.operatorToken.kind] ?? [])
        add(node.operatorToken, kind, changed)
    } else if (ts.isNumericLiteral(node) || ts.isBigIntLiteral(node)) {
      add(node, 'constant', `(${node.text} + ${ts.isBigIntLiteral(node) ? '1n' : '1'})`)
    } else if (node.kind === S.TrueKeyword) add(node, 'boolean', 'false')
    else if (node.kind === S.FalseKeyword) add(node, 'boolean', 'true')
    else if (ts.isPrefixUnaryExpression(node) && node.operator === S.ExclamationToken) {
      add(node, 'boolean', `(${node.operand.getText(source)})`)
    } else if (ts.isReturnStatement(node) && node.expression !== undefined) {
      const returned = node.expression.getText(source)
      // Without it nothing changes, or what is changed to `true` already is.
      if (returned !== 'undefined' && returned !== 'false') add(node, 'return', 'return')
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** A sample without repeats, the same for the same seed. */
export function sampled<T>(all: readonly T[], count: number, seed: number): T[] {
  const rest = [...all]
  let state = seed >>> 0
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(next(rest.length), 1)[0] as T)
}
