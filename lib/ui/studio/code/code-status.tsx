import { argsCountOf } from '../document/args-count.ts'
import type { CompileState } from './use-compile.ts'

/** What the compiler says, in one line that is read out when it changes; and the arguments, at once while typing. */
export function CodeStatus({ state, source }: { state: CompileState; source: string }) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 text-sm">
      <span role="status" className={`font-medium ${look(state)}`} data-testid="code-status">
        {verdictText(state)}
      </span>
      <span className="text-ink-soft" data-testid="code-arguments">
        {argumentsText(argsCountOfState(state) ?? argsCountOf(source))}
      </span>
    </p>
  )
}

function look(state: CompileState): string {
  if (state.status !== 'checked') return 'text-ink-soft'
  return state.verdict.argsCount === null ? 'text-madder' : 'text-verdigris'
}

function verdictText(state: CompileState): string {
  switch (state.status) {
    case 'checking':
      return 'Checking…'
    case 'unchecked':
      return `Not checked: ${state.reason}${state.retrying ? '. Trying again.' : '.'}`
    case 'checked': {
      const { argsCount, diagnostics } = state.verdict
      if (argsCount !== null) return 'Compiles'
      return diagnostics.length === 1 ? '1 error' : `${diagnostics.length} errors`
    }
  }
}

/** The compiler's count, where it has counted the text as it stands. */
function argsCountOfState(state: CompileState): number | undefined {
  return state.status === 'checked' ? (state.verdict.argsCount ?? undefined) : undefined
}

function argumentsText(count: number): string {
  if (count === 0) return 'takes no arguments'
  if (count === 1) return 'takes 1 argument: args[0]'
  if (count === 2) return 'takes 2 arguments: args[0] and args[1]'
  return `takes ${count} arguments: args[0] to args[${count - 1}]`
}
