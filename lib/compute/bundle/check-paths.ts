import { isSystemPath } from '#lib/protocol/bundle-paths.ts'
import { quoteName } from '../zip/records.ts'
import { BUNDLE_LIMITS } from './limits.ts'
import { mediaType } from './mime.ts'

/** Directories, and what systems and archivers add: neither stored nor counted. */
export function isIgnored(path: string): boolean {
  return path.endsWith('/') || isSystemPath(path)
}

/** Warnings about files that are left out though a bundle could hold them: an author may have meant them. */
export function leftOutWarnings(paths: readonly string[]): readonly string[] {
  const missed = paths.filter(
    (path) => isIgnored(path) && mediaType(path) !== undefined && !/(^|\/)(\._|__MACOSX\/)/.test(path),
  )
  return missed.length === 0
    ? []
    : [`Hidden files are left out: ${missed.slice(0, 10).map(quoteName).join(', ')}.`]
}

/**
 * Problem of a name in a ZIP, directories included: anything that any system, or a browser joining URLs,
 * could read as another place.
 */
export function pathProblem(path: string): string | undefined {
  const label = quoteName(path)
  if (path === '') return 'A file has no name'
  if (Buffer.byteLength(path) > BUNDLE_LIMITS.pathBytes) {
    return `${label}: a path has at most ${BUNDLE_LIMITS.pathBytes} bytes`
  }
  if (!path.isWellFormed() || /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{NChar}\p{Zl}\p{Zp}]/u.test(withoutJoiners(path))) {
    return `${label}: control and invisible characters are not accepted in names`
  }
  if (path.startsWith('/') || path.startsWith('\\')) return `${label}: a path must be relative`
  // Percent signs, because a name is part of a URL, which proxies may decode more than once.
  const forbidden = /[\\:*?"<>|%]/.exec(path)?.[0]
  if (forbidden !== undefined) return `${label}: the character ${forbidden} is not accepted in names`
  const segments = path.replace(/\/$/, '').split('/')
  if (segments.length > BUNDLE_LIMITS.pathParts) {
    return `${label}: a path has at most ${BUNDLE_LIMITS.pathParts} parts`
  }
  for (const segment of segments) {
    const problem = segmentProblem(segment)
    if (problem !== undefined) return `${label}: ${problem}`
  }
  return undefined
}

/** Without the joiners inside words and emoji, which several languages write with; elsewhere they are invisible. */
function withoutJoiners(path: string): string {
  return path.replaceAll(
    /(?<=[\p{L}\p{M}\p{Extended_Pictographic}])(?:\u200C|\u200D)(?=[\p{L}\p{Extended_Pictographic}])/gu,
    '',
  )
}

function segmentProblem(segment: string): string | undefined {
  if (segment === '') return 'a path has no empty parts'
  // Some systems fold characters similar to dots and slashes into the real ones.
  const folded = segment.normalize('NFKC')
  if (folded === '.' || folded === '..' || /[/\\]/.test(folded)) {
    return 'a path may not lead anywhere else'
  }
  if (/[. ]$/.test(segment) || segment.startsWith(' ')) return 'names may not end in a dot or a space'
  if (/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(segment)) return 'this name is reserved on some systems'
  if (Buffer.byteLength(segment) > BUNDLE_LIMITS.nameBytes) {
    return `a name has at most ${BUNDLE_LIMITS.nameBytes} bytes`
  }
  return undefined
}

/** Problems of the stored files taken together, or of their kinds. */
export function fileSetProblems(paths: readonly string[]): readonly string[] {
  if (paths.length > BUNDLE_LIMITS.files) {
    return [`The bundle has ${paths.length} files, more than ${BUNDLE_LIMITS.files}`]
  }
  const problems: string[] = []
  const files = new Map<string, string>()
  const folders = new Map<string, string>()
  const folded = new Map(paths.map((path) => [path, fold(path)] as const))
  for (const [path, key] of folded) {
    for (let cut = key.indexOf('/'); cut >= 0; cut = key.indexOf('/', cut + 1)) {
      folders.set(key.slice(0, cut), path)
    }
  }
  for (const path of paths) {
    const problem = kindProblem(path)
    if (problem !== undefined) problems.push(problem)
    const key = folded.get(path) as string
    const other = files.get(key) ?? folders.get(key)
    if (other !== undefined) problems.push(`${quoteName(path)} and ${quoteName(other)} clash`)
    files.set(key, path)
  }
  return problems
}

function kindProblem(path: string): string | undefined {
  if (mediaType(path) !== undefined) return undefined
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot < 0
    ? `${quoteName(path)}: files without an extension are not accepted`
    : `${quoteName(path)}: files of type ${quoteName(name.slice(dot, dot + 20))} are not accepted`
}

/** Equal for paths that some file system takes for the same. */
function fold(path: string): string {
  return withoutJoiners(path).normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
}
