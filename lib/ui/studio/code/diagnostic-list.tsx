import { type BodyDiagnostic, diagnosticText } from './diagnostics.ts'

const SHOWN = 8

/** The errors below the text; each leads to its place. */
export function DiagnosticList({
  diagnostics,
  onReveal,
}: {
  diagnostics: readonly BodyDiagnostic[]
  onReveal: (diagnostic: BodyDiagnostic) => void
}) {
  if (diagnostics.length === 0) return null
  const more = diagnostics.length - SHOWN
  return (
    <ul aria-label="Compiler errors" className="grid gap-1 border-madder border-l-2 pl-3 text-sm">
      {diagnostics.slice(0, SHOWN).map((diagnostic, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same error may be at a place twice
        <li key={index}>
          {diagnostic.line === null ? (
            <span className="block py-1">{diagnostic.message}</span>
          ) : (
            <button
              type="button"
              onClick={() => onReveal(diagnostic)}
              className="cursor-pointer py-1 text-left underline decoration-edge underline-offset-4 hover:text-accent pointer-coarse:min-h-11"
            >
              {diagnosticText(diagnostic)}
            </button>
          )}
        </li>
      ))}
      {more > 0 ? <li className="text-ink-soft">and {more} more</li> : null}
    </ul>
  )
}
