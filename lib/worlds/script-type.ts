/** Essences that browsers run as classic scripts, after the HTML and MIME Sniffing standards. */
const JAVASCRIPT_TYPES: ReadonlySet<string> = new Set([
  'application/ecmascript',
  'application/javascript',
  'application/x-ecmascript',
  'application/x-javascript',
  'text/ecmascript',
  'text/javascript',
  'text/javascript1.0',
  'text/javascript1.1',
  'text/javascript1.2',
  'text/javascript1.3',
  'text/javascript1.4',
  'text/javascript1.5',
  'text/jscript',
  'text/livescript',
  'text/x-ecmascript',
  'text/x-javascript',
])

/** Whether a script element of this `type` and `language` runs, as a classic script or as a module. */
export function isJavaScriptType(type: string | undefined, language: string | undefined): boolean {
  if (type === '') return true
  if (type === undefined) return !language || JAVASCRIPT_TYPES.has(`text/${language}`.toLowerCase())
  const essence = type.trim().toLowerCase()
  return essence === 'module' || JAVASCRIPT_TYPES.has(essence)
}
