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
