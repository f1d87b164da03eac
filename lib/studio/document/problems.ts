import { kindWord } from '#lib/protocol/kind-name.ts'
import { newNameProblem } from '#lib/protocol/names.ts'
import { connectorProblems, type Sources } from './connector-problems.ts'
import { type NodeRef, referencesOf, refKey } from './node-ref.ts'
import { addressOf, type Library, type Parts, partsOf } from './parts.ts'
import type { Problem } from './problem.ts'
import { shapesOf } from './shapes.ts'
import type { CodeEntry, Entry, StudioDocument } from './types.ts'

/** Longest body, in bytes of UTF-8. */
const MAX_SOURCE_BYTES = 32 * 1024

/**
 * Problems of a document that can be found without compiling or running it, in the order of the document. Names still
 * `unknown` to the library are no problem yet.
 *
 * @param sources Parts and shapes of the same document and library, where they are known.
 */
export function problems(
  document: StudioDocument,
  library: Library,
  sources: Sources = sourcesOf(document, library),
): Problem[] {
  const { parts } = sources
  const seen = {
    connector: new Set<string>(),
    transformation: new Set<string>(),
    condition: new Set<string>(),
  }
  const used = new Set(
    document.entries.flatMap((entry) =>
      referencesOf(entry).flatMap(({ kind, name }) => (kind === 'connector' && name !== '' ? [name] : [])),
    ),
  )
  const own = new Map(
    document.entries.map((entry): [Entry, Problem[]] => {
      const repeated = seen[entry.kind].has(entry.name)
      seen[entry.kind].add(entry.name)
      const inside =
        entry.kind === 'connector'
          ? connectorProblems(entry, sources, used.has(entry.name))
          : sourceProblems(entry)
      return [entry, [...nameProblems(entry, repeated, library), ...inside]]
    }),
  )
  const broken = brokenEntries(document, parts, own)
  return document.entries.flatMap((entry) => {
    const problems = own.get(entry) ?? []
    return [...problems, ...brokenParts(entry, parts, broken).filter(({ at }) => !marked(problems, at))]
  })
}

function sourcesOf(document: StudioDocument, library: Library): Sources {
  const parts = partsOf(document, library)
  return { parts, shapes: shapesOf(parts) }
}

/** Entries that could not be created: those with errors, and those that use one of them. */
function brokenEntries(
  { entries }: StudioDocument,
  parts: Parts,
  own: ReadonlyMap<Entry, readonly Problem[]>,
): ReadonlySet<Entry> {
  const users = new Map<Entry, Entry[]>()
  for (const entry of entries) {
    for (const { kind, name } of referencesOf(entry)) {
      const part = parts.find(kind, name)
      if (typeof part === 'string' || part.from === 'library') continue
      users.set(part.entry, [...(users.get(part.entry) ?? []), entry])
    }
  }
  const broken = new Set<Entry>()
  const open = entries.filter((entry) => own.get(entry)?.some(({ severity }) => severity === 'error'))
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    if (broken.has(entry)) continue
    broken.add(entry)
    open.push(...(users.get(entry) ?? []))
  }
  return broken
}

function brokenParts(entry: Entry, parts: Parts, broken: ReadonlySet<Entry>): Problem[] {
  return referencesOf(entry).flatMap(({ at, kind, name }) => {
    const part = parts.find(kind, name)
    if (typeof part === 'string' || part.from === 'library' || !broken.has(part.entry)) return []
    const sentence = `The ${kindWord(kind)} ${name} has a problem of its own that has to be solved first.`
    return [{ at, severity: 'error', code: 'part_broken', sentence } as const]
  })
}

/** Whether a node has an error already; a second one for its part would add nothing. */
function marked(problems: readonly Problem[], at: NodeRef): boolean {
  const key = refKey(at)
  return problems.some((problem) => problem.severity === 'error' && refKey(problem.at) === key)
}

function nameProblems(entry: Entry, repeated: boolean, library: Library): Problem[] {
  const at = { kind: 'entry', entryId: entry.id } as const
  const field = { name: 'name' } as const
  const invalid = newNameProblem(entry.name)
  if (invalid !== undefined) {
    return [{ at, field, severity: 'error', code: 'name_invalid', sentence: `${invalid}.` }]
  }
  const problems: Problem[] = []
  if (repeated) {
    const sentence = `Another ${kindWord(entry.kind)} here is called ${entry.name} too; references mean the first one.`
    problems.push({ at, field, severity: 'error', code: 'name_repeated', sentence })
  }
  if (addressOf(library.find(entry.kind, entry.name)) !== undefined) {
    const sentence = `A ${kindWord(entry.kind)} called ${entry.name} is published, and what is published never changes. If this is another one, give it a name of its own.`
    problems.push({ at, field, severity: 'warning', code: 'name_published', sentence })
  }
  return problems
}

function sourceProblems({ id, source }: CodeEntry): Problem[] {
  const about = {
    at: { kind: 'entry', entryId: id },
    field: { name: 'source' },
    severity: 'error',
  } as const
  if (source.trim() === '') {
    return [{ ...about, code: 'source_blank', sentence: 'The body is empty: write what it returns.' }]
  }
  // Only long texts are worth counting in bytes.
  if (source.length * 3 > MAX_SOURCE_BYTES && new TextEncoder().encode(source).length > MAX_SOURCE_BYTES) {
    return [{ ...about, code: 'source_too_long', sentence: 'The body is longer than 32 KiB.' }]
  }
  return []
}
