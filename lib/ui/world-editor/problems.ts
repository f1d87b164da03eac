/** One thing that is wrong, or could be better, and where. */
export interface Problem {
  /** Path in the bundle; undefined where it is about the bundle as a whole. */
  readonly file: string | undefined
  /** Place inside the manifest: `slug`, `acceptedConnectorSets[0].connectors`. */
  readonly place: string | undefined
  readonly text: string
}

export interface ProblemGroup {
  readonly file: string | undefined
  readonly problems: readonly Problem[]
}

const MANIFEST_LINE = /^(world-manifest\.json)(?: ([^:"]+(?:\["[^"]*"\][^:"]*)*))?: ([\s\S]+)$/
const FILE_LINE = /^("(?:[^"\\]|\\.)*"):? ([\s\S]+)$/

/** The problems of a rejection, one per line. */
export function refusalLines(message: string): readonly string[] {
  const [first, ...rest] = message.split('\n').filter((line) => line.trim() !== '')
  if (first === undefined) return []
  const items = rest.map((line) => line.replace(/^- /, ''))
  return /^The bundle has \d+ problems:$/.test(first) ? items : [first, ...items]
}

/** Problem of a line of a refusal, with the file that it is about. */
export function readProblem(line: string): Problem {
  const manifest = MANIFEST_LINE.exec(line)
  if (manifest) return { file: manifest[1], place: manifest[2], text: manifest[3] ?? '' }
  const match = FILE_LINE.exec(line)
  if (match) {
    const file = unquoted(match[1] ?? '')
    // "a" and "b" clash: about the first of them, in words that name the other.
    if (file !== undefined) return { file, place: undefined, text: match[2] ?? '' }
  }
  const [word] = line.split(' ', 1)
  if (word === 'world-manifest.json') {
    return { file: word, place: undefined, text: line.slice(word.length + 1) }
  }
  return { file: undefined, place: undefined, text: line }
}

/** By file, what is about the whole first. */
export function byFile(problems: readonly Problem[]): readonly ProblemGroup[] {
  const groups = new Map<string | undefined, Problem[]>()
  for (const problem of problems) {
    const group = groups.get(problem.file)
    if (group) group.push(problem)
    else groups.set(problem.file, [problem])
  }
  return [...groups]
    .map(([file, group]) => ({ file, problems: group }))
    .toSorted((a, b) => Number(a.file !== undefined) - Number(b.file !== undefined))
}

function unquoted(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
