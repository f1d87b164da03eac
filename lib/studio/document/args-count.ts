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

const INDEX =
  /(?<![\w$.])args\s*\)*\s*\[\s*\(*\s*(0[xX][0-9a-fA-F_]+|[0-9][0-9_]*(?:[eE][0-9]+)?)\s*\)*\s*\]/g

/**
 * Names of the arguments of a body, by their index: those of a comment `// args: step, places`, else of the local variables
 * that take them.
 */
export function argsNamesOf(source: string): readonly (string | undefined)[] {
  const [, comment] = NAMES.exec(source) ?? []
  if (comment !== undefined) return comment.split(',').map((name) => name.trim() || undefined)
  const names: (string | undefined)[] = []
  for (const [, name, value] of code(source).matchAll(VARIABLE)) {
    const indices = new Set(Array.from(value!.matchAll(INDEX), ([, text]) => literal(text!)))
    const [index] = indices
    if (indices.size === 1 && index !== undefined) names[index] ??= name
  }
  return names
}

const NAMES = /\/\/[ \t]*args:([\w ,]+)/
const VARIABLE = /\bu?int\d*\s+(\w+)\s*=\s*([^;]*);/g

/** Blanks comments and strings. */
function code(source: string): string {
  return source.replace(
    /\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?/g,
    (hidden) => (hidden.startsWith('/') ? ' ' : '""'),
  )
}

function literal(text: string): number | undefined {
  const value = Number(text.replaceAll('_', ''))
  return Number.isSafeInteger(value) && value < 4_294_967_295 ? value : undefined
}
