/**
 * Counts the arguments of a body in its text: the highest literal `args[…]` plus one. The compiler's count differs
 * only where a local variable shadows `args`.
 */
export function argsCountOf(source: string): number {
  let count = 0
  for (const [, text] of code(source).matchAll(INDEX)) {
    const index = literal(text!)
    if (index !== undefined) count = Math.max(count, index + 1)
  }
  return count
}

/** Index of an argument, in text whose blanks are single: linear, whatever is published. */
const INDEX =
  /(?<![\w$.])args ?(?:\) ?)*\[ ?(?:\( ?)*(0[xX][0-9a-fA-F_]+|[0-9][0-9_]*(?:[eE][0-9]+)?) ?(?:\) ?)*\]/g

/**
 * Names of the arguments of a body, by their index: those of a comment `// args: step, places`, else of the local variables
 * that take them. Undefined where that is no short word, or one that names another number already.
 */
export function argsNamesOf(source: string): readonly (string | undefined)[] {
  const [, comment] = NAMES.exec(source) ?? []
  const names: (string | undefined)[] =
    comment === undefined ? variablesOf(source) : comment.split(',').map((name) => name.trim())
  return Array.from(names, (name, index) =>
    name !== undefined && NAME.test(name) && names.indexOf(name) === index ? name : undefined,
  )
}

/** Names of the local variables that take one argument, by its index. */
function variablesOf(source: string): (string | undefined)[] {
  const names: (string | undefined)[] = []
  // The last statement has no semicolon: it is none.
  for (const statement of code(source).split(';').slice(0, -1)) {
    const [, name] = VARIABLE.exec(statement) ?? []
    const indices = new Set(Array.from(statement.matchAll(INDEX), ([, text]) => literal(text!)))
    const [index] = indices
    if (name !== undefined && indices.size === 1 && index !== undefined && index < MOST_NAMED)
      names[index] ??= name
  }
  return names
}

/** Arguments that can have a name. */
const MOST_NAMED = 32
const NAMES = /\/\/[ \t]*args:([\w ,]+)/
/** `x` is the number itself. */
const NAME = /^(?!x$)[A-Za-z_]\w{0,23}$/
const VARIABLE = /\bu?int\d* (\w+) ?=/

/** Blanks comments and strings, and makes every run of blanks one. */
function code(source: string): string {
  return source
    .replace(/\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?/g, (hidden) =>
      hidden.startsWith('/') ? ' ' : '""',
    )
    .replace(/\s+/g, ' ')
}

function literal(text: string): number | undefined {
  const value = Number(text.replaceAll('_', ''))
  return Number.isSafeInteger(value) && value < 4_294_967_295 ? value : undefined
}
