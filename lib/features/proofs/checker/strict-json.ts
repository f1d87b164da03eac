const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs
const INTEGER = /^(?:0|[1-9]\d{0,15})$/

/**
 * Parses JSON in which a key stands once in its object and every number is written as a whole one, by its digits alone:
 * what one program would read in another way than the next.
 *
 * @throws SyntaxError
 */
export function parseStrictly(text: string): unknown {
  const value: unknown = JSON.parse(text)
  const open: (Set<string> | undefined)[] = []
  let last = ''
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : undefined)
    else if (token === '}' || token === ']') open.pop()
    else if (token.startsWith('"')) {
      const keys = last === '{' || last === ',' ? open.at(-1) : undefined
      const key = keys && (JSON.parse(token) as string)
      if (key !== undefined && keys?.has(key)) throw new SyntaxError('a key stands twice')
      if (key !== undefined) keys?.add(key)
    } else if (/^[-\d]/.test(token) && !INTEGER.test(token)) throw new SyntaxError('a number is no whole one')
    last = token
  }
  return value
}
